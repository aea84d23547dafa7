package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DataExtentsTest {
  private static final long TERABYTE = 1L << 40;

  @TempDir Path directory;

  private Path createSparseFile(long... offsets) throws IOException {
    Path file = directory.resolve("sparse");
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long offset : offsets) {
        out.write(ByteBuffer.wrap(new byte[] {1}), offset);
      }
    }
    return file;
  }

  @Test
  @Timeout(20)
  void of_fileOfTerabytes_findsTheData() throws IOException {
    DataExtents extents = DataExtents.of(createSparseFile(TERABYTE, 12 * TERABYTE));
    assertThat(extents.count()).isEqualTo(2);
    assertThat(extents.hasHoles()).isTrue();
    assertThat(extents.fileSize()).isEqualTo(12 * TERABYTE + 1);
    assertThat(extents.offset(0)).isLessThanOrEqualTo(TERABYTE);
    assertThat(extents.offset(0) + extents.length(0)).isGreaterThan(TERABYTE);
    assertThat(extents.offset(0) % 512).isZero();
    assertThat(extents.length(0) % 512).isZero();
    assertThat(extents.offset(1) + extents.length(1)).isEqualTo(12 * TERABYTE + 1);
    assertThat(extents.dataBytes()).isEqualTo(extents.length(0) + extents.length(1));
  }

  @Test
  void of_denseFile_isOneExtent() throws IOException {
    Path file = Files.write(directory.resolve("dense"), new byte[100_001]);
    DataExtents extents = DataExtents.of(file);
    assertThat(extents.count()).isEqualTo(1);
    assertThat(extents.hasHoles()).isFalse();
    assertThat(extents.offset(0)).isZero();
    assertThat(extents.length(0)).isEqualTo(100_001);
  }

  @Test
  void of_emptyFile_hasNoExtents() throws IOException {
    DataExtents extents = DataExtents.of(Files.createFile(directory.resolve("empty")));
    assertThat(extents.count()).isZero();
    assertThat(extents.hasHoles()).isFalse();
  }

  @Test
  void of_missingFile() {
    assertThatThrownBy(() -> DataExtents.of(directory.resolve("missing")))
        .isInstanceOf(LinuxException.class);
  }
}
