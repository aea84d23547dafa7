package dev.trainyard.server.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.FileHandle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileContentTest {
  private static final int SIZE = 8 << 20;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void create() throws IOException {
    file = directory.resolve("sparse");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toString(), "rw")) {
      sparse.setLength(SIZE);
    }
  }

  private void write(long... offsets) throws IOException {
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (long offset : offsets) {
        out.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), offset);
      }
    }
  }

  private FileContent open() throws IOException {
    try (FileHandle held = FileHandle.find(directory, "sparse").orElseThrow()) {
      return FileContent.open(held);
    }
  }

  private static byte[] readRemaining(FileContent content) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] block = new byte[64 << 10];
    while (content.remaining() > 0) {
      int count = content.read(block);
      assertThat(count).isPositive();
      all.write(block, 0, count);
    }
    return all.toByteArray();
  }

  @Test
  void read_dataBetweenHoles() throws IOException {
    write(0, 4_000, 100_000, 3_000_000, 3_070_000, SIZE - 3);
    try (FileContent content = open()) {
      assertThat(readRemaining(content)).isEqualTo(Files.readAllBytes(file));
    }
  }

  @Test
  void read_onlyAHole() throws IOException {
    try (FileContent content = open()) {
      assertThat(readRemaining(content)).isEqualTo(new byte[SIZE]);
    }
  }

  /** Extents are not read in advance, because many extents take much time and memory. */
  @Test
  void read_dataWrittenAfterOpening_isFound() throws IOException {
    write(1_000_000);
    try (FileContent content = open()) {
      write(5_000_000);
      assertThat(readRemaining(content)).isEqualTo(Files.readAllBytes(file));
    }
  }

  @Test
  void read_fileBecomesShorter_isReported() throws IOException {
    write(1_000_000);
    try (FileContent content = open()) {
      try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
        out.truncate(500_000);
      }
      byte[] block = new byte[64 << 10];
      int count = content.read(block);
      while (count > 0) {
        count = content.read(block);
      }
      assertThat(count).isEqualTo(-1);
      assertThat(content.remaining()).isEqualTo(SIZE - 500_000);
    }
  }
}
