package dev.trainyard.engine.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.linux.TaskRecordJson;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/**
 * The record of a task in its directory: its spec, and what was allocated for it. With the record,
 * a later server process can continue with the task. Only the server's account can read the record,
 * because it may contain secrets.
 *
 * @param network name of the job's network
 * @param address address of the task in that network
 * @param users user and group ID of the image's user
 * @param workingDirectory initial working directory in the container; null in a record that an
 *     earlier release wrote
 */
record StoredTask(
    TaskSpec spec, String network, String address, ImageUser users, String workingDirectory) {
  private static final ObjectMapper JSON =
      TaskRecordJson.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  /** Reports that the record is invalid, so that a retry fails as well. */
  static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1;

    private DamagedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  void write(DockerTaskDirectory task) throws IOException {
    AtomicFile.write(
        task.file("spec.json"), task.file("spec.draft"), JSON.writeValueAsString(this));
  }

  /** Reads the record; returns empty if the task is not reserved. */
  static Optional<StoredTask> read(DockerTaskDirectory task) throws IOException {
    try {
      return Optional.of(
          JSON.readValue(Files.readString(task.file("spec.json")), StoredTask.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (UnrecognizedPropertyException e) {
      // The record does not count as damaged, because the task may be running, and the version that
      // wrote the record can read it.
      throw new IOException("the spec of task " + task.id() + " was written by another version", e);
    } catch (JsonProcessingException | CharacterCodingException e) {
      throw new DamagedException("the spec of task " + task.id() + " is invalid", e);
    }
  }
}
