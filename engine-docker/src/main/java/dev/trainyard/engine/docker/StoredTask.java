package dev.trainyard.engine.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.trainyard.engine.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A task's spec and place in its directory, so that a later server can go on with it. Only the
 * server's account can read it, as it may hold what is secret.
 *
 * @param network the name of its job's
 * @param address the task's own in it
 * @param users of the ids that its image's user has
 */
record StoredTask(TaskSpec spec, String network, String address, ImageUser users) {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  void write(TaskPlace task) throws IOException {
    Path draft = task.file("spec.draft");
    Files.writeString(draft, JSON.writeValueAsString(this));
    Files.move(draft, task.file("spec.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Empty if the task is not reserved. */
  static Optional<StoredTask> read(TaskPlace task) throws IOException {
    try {
      return Optional.of(
          JSON.readValue(Files.readString(task.file("spec.json")), StoredTask.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new IOException("the spec of task " + task.id() + " can't be read", e);
    }
  }
}
