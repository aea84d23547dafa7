package dev.trainyard.engine.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.linux.TaskRecordJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A task's spec and address in its directory, so that a later server process can continue with it.
 * Only the server's account can read the file, because it may contain secrets.
 *
 * @param address the address of the task
 */
record StoredSpec(TaskSpec spec, String address) {
  private static final ObjectMapper JSON =
      TaskRecordJson.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  void write(TaskDirectory task) throws IOException {
    Path draft = task.file("spec.draft");
    Files.writeString(draft, JSON.writeValueAsString(this));
    Files.move(draft, task.file("spec.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Reads the stored spec; empty if the task is not reserved. */
  static Optional<StoredSpec> read(TaskDirectory task) throws IOException {
    if (!task.isReserved()) {
      return Optional.empty();
    }
    String text;
    try {
      text = Files.readString(task.file("spec.json"));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(text, StoredSpec.class));
    } catch (JsonProcessingException e) {
      throw new IOException("failed to read the spec of task " + task.id(), e);
    }
  }
}
