package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.HoleFinder;
import dev.trainyard.engine.linux.TaskWrittenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Optional;

/**
 * The content of a file up to the size that the file had when it was opened. Holes are not read,
 * because they may have a size of terabytes. A hole is located only when it is reached, because a
 * file may have millions of holes. Not thread-safe.
 */
final class FileContent implements AutoCloseable {
  /** Minimum size of a file that is searched for holes. */
  private static final long MIN_SIZE_WITH_HOLES = 1024 * 1024;

  /** Minimum size of a hole that is skipped; a smaller hole is read like data. */
  private static final long MIN_HOLE_SIZE = 64 * 1024;

  private final FileChannel channel;
  private final long size;
  private final Optional<HoleFinder> holeFinder;
  private long position;

  /** End of the hole at the current position; not greater than the position if there is no hole. */
  private long endOfHole;

  private FileContent(FileChannel channel, long size, Optional<HoleFinder> holeFinder) {
    this.channel = channel;
    this.size = size;
    this.holeFinder = holeFinder;
  }

  static FileContent open(FileHandle file) throws IOException {
    FileChannel channel = TaskWrittenFile.openForReading(file.path());
    try {
      long size = file.attributes().size();
      return new FileContent(
          channel,
          size,
          size < MIN_SIZE_WITH_HOLES
              ? Optional.empty()
              : Optional.of(HoleFinder.open(file.path())));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Returns the number of bytes between the current position and the size of the file when it was
   * opened.
   */
  long remaining() {
    return size - position;
  }

  /**
   * Reads bytes into the first part of the array. Returns the number of bytes, or -1 if the file
   * has become shorter.
   */
  int read(byte[] bytes) throws IOException {
    int maxBytes = (int) Math.min(bytes.length, remaining());
    findHole();
    if (position < endOfHole) {
      int zeroCount = (int) Math.min(maxBytes, endOfHole - position);
      Arrays.fill(bytes, 0, zeroCount, (byte) 0);
      position += zeroCount;
      return zeroCount;
    }
    int count = channel.read(ByteBuffer.wrap(bytes, 0, maxBytes), position);
    if (count > 0) {
      position += count;
    }
    return count;
  }

  private void findHole() throws IOException {
    if (holeFinder.isEmpty() || position < endOfHole) {
      return;
    }
    long dataOffset = holeFinder.get().nextData(position);
    if (dataOffset == Long.MAX_VALUE) {
      // The hole extends to the end of the file, which may have become shorter.
      endOfHole = Math.min(size, channel.size());
    } else if (dataOffset - position >= MIN_HOLE_SIZE) {
      endOfHole = Math.min(size, dataOffset);
    }
  }

  /**
   * Writes zeros to the array in place of bytes that the file no longer has. Returns the number of
   * zeros.
   */
  int readZeros(byte[] bytes) {
    int zeroCount = (int) Math.min(bytes.length, remaining());
    Arrays.fill(bytes, 0, zeroCount, (byte) 0);
    position += zeroCount;
    return zeroCount;
  }

  @Override
  public void close() throws IOException {
    holeFinder.ifPresent(HoleFinder::close);
    channel.close();
  }
}
