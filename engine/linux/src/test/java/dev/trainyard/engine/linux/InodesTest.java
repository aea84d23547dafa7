package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InodesTest {
  @TempDir Path directory;

  /** Other programs create files at the same time, so only the total is exact. */
  @Test
  void of_matchesStat() throws Exception {
    Process stat = new ProcessBuilder("stat", "-f", "-c", "%c %d", directory.toString()).start();
    String[] expected =
        new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
            .strip()
            .split(" ", -1);
    Inodes inodes = Inodes.of(directory);
    assertThat(inodes.total()).isEqualTo(Long.parseLong(expected[0]));
    assertThat(inodes.free()).isBetween(0L, inodes.total());
  }

  @Test
  void of_noSuchDirectory_fails() {
    assertThatThrownBy(() -> Inodes.of(directory.resolve("absent")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent");
  }
}
