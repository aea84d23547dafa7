package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxTest {
  @TempDir Path directory;

  @Test
  void spreadSubdirectories_twice_directoryIsUsable() throws Exception {
    Linux.spreadSubdirectories(directory);
    Linux.spreadSubdirectories(directory);
    assertThat(Files.createDirectories(directory.resolve("a/b"))).isEmptyDirectory();
  }

  @Test
  void spreadSubdirectories_notSupported() {
    assertThatCode(() -> Linux.spreadSubdirectories(Path.of("/proc/self")))
        .doesNotThrowAnyException();
  }

  @Test
  void spreadSubdirectories_missingDirectory() {
    assertThatThrownBy(() -> Linux.spreadSubdirectories(directory.resolve("missing")))
        .isInstanceOf(LinuxException.class)
        .hasMessageContaining("no such file");
  }
}
