package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReserveTest {
  private static final long MEGABYTE = 1 << 20;

  @TempDir private Path directory;

  private static long occupiedBytes(Path file) throws Exception {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(stat.waitFor()).isZero();
    return Long.parseLong(blocks.strip()) * 512;
  }

  @Test
  void topUp_fileGrows_spaceStaysBehindItsEnd() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[10_000]);
    try (FileReserve reserve = FileReserve.open(file, MEGABYTE)) {
      reserve.topUp();
      assertThat(file).hasSize(10_000);
      assertThat(occupiedBytes(file)).isGreaterThanOrEqualTo(MEGABYTE);
      Files.write(file, new byte[(int) MEGABYTE], java.nio.file.StandardOpenOption.APPEND);
      reserve.topUp();
      reserve.topUp();
      assertThat(file).hasSize(10_000 + MEGABYTE);
      assertThat(occupiedBytes(file)).isBetween(2 * MEGABYTE, 4 * MEGABYTE);
    }
  }
}
