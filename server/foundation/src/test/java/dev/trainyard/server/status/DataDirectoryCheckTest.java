package dev.trainyard.server.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryCheckTest {
  @TempDir Path data;

  @Test
  void problem_fileOfAKilledServer_isReplacedAndRemoved() throws Exception {
    Files.writeString(data.resolve(DataDirectoryCheck.FILE), "left over");
    assertThat(new DataDirectoryCheck(data).problem()).isEmpty();
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void problem_directoryMissing() throws Exception {
    assertThat(new DataDirectoryCheck(data.resolve("gone")).problem()).isPresent();
  }
}
