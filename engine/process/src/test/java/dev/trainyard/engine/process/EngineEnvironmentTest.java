package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineEnvironmentTest {
  @TempDir Path directory;

  @Test
  void open_dataDirectoryCannotBeCreated_fails() throws IOException {
    Path data = Files.createFile(directory.resolve("file")).resolve("data");
    ProcessEngineConfig config = new ProcessEngineConfig(data, Optional.empty(), "");

    assertThatThrownBy(() -> EngineEnvironment.open(config, Sandboxes::select))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("this host cannot run tasks")
        .hasMessageContaining(data.toString());
  }
}
