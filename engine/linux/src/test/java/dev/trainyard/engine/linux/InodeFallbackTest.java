package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InodeFallbackTest {
  @TempDir Path directory;

  @Test
  void isFull_errorOfAnotherLimit_isNotAFullDisk() {
    IOException failure = new IOException("unshare failed: No space left on device");
    assertThat(InodeFallback.isFull(failure)).isTrue();
    assertThat(InodeFallback.isFull(failure, directory)).isFalse();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void isFull_noFileCanBeCreated_isAFullDisk() {
    IOException failure = new IOException("No space left on device");
    assertThat(InodeFallback.isFull(failure, directory.resolve("missing"))).isTrue();
    assertThat(InodeFallback.isFull(new IOException("other"), directory.resolve("missing")))
        .isFalse();
  }
}
