package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkplaceTest {
  @TempDir Path directory;

  @Test
  void open_impossibleNamesARemedyThatExists() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> Workplace.open(file.resolve("data")))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("the server must be run as root")
        .hasMessageNotContaining("docker");
  }
}
