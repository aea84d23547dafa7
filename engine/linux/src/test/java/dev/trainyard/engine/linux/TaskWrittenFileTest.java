package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.testkit.FileLease;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TaskWrittenFileTest {
  @TempDir Path directory;

  /** A kernel revokes a lease after 45 seconds. */
  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void open_leased_failsWithoutWaiting() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "text");
    try (FileLease _ = FileLease.take(file)) {
      assertThatThrownBy(() -> TaskWrittenFile.openForReading(file))
          .isInstanceOfSatisfying(LinuxException.class, e -> assertThat(e.isLeased()).isTrue());
      assertThatThrownBy(() -> TaskWrittenFile.openForWriting(file))
          .isInstanceOfSatisfying(LinuxException.class, e -> assertThat(e.isLeased()).isTrue());
    }
    TaskWrittenFile.openForWriting(file).close();
    try (FileChannel channel = TaskWrittenFile.openForReading(file)) {
      ByteBuffer bytes = ByteBuffer.allocate(10);
      channel.read(bytes);
      assertThat(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8))
          .isEqualTo("text");
    }
  }

  @Test
  void openForReading_link_followedUnlessForbidden() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "text");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    TaskWrittenFile.openForReading(link).close();
    assertThatThrownBy(() -> TaskWrittenFile.openForReading(link, LinkOption.NOFOLLOW_LINKS))
        .isInstanceOf(LinuxException.class);
  }

  @Test
  void openForReading_missing() {
    assertThatThrownBy(() -> TaskWrittenFile.openForReading(directory.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
