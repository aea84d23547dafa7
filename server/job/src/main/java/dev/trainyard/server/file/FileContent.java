package dev.trainyard.server.file;

import dev.trainyard.engine.linux.HoleFinder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * The content of a file up to the size that it has when it is opened. Holes are not read, because a
 * file may have terabytes of them; they are found one by one, because a file may have millions. For
 * one thread at a time.
 */
final class FileContent implements AutoCloseable {
  /** Smaller files are read without looking for holes. */
  private static final long SMALL = 1024 * 1024;

  /** A smaller hole is read like data. */
  private static final long SMALLEST_HOLE = 64 * 1024;

  private final FileChannel channel;
  private final long size;
  private final Optional<HoleFinder> holes;
  private long position;

  /** End of the hole at the current position; not after the position if there is none. */
  private long endOfHole;

  private FileContent(FileChannel channel, long size, Optional<HoleFinder> holes) {
    this.channel = channel;
    this.size = size;
    this.holes = holes;
  }

  static FileContent open(FileHandle file) throws IOException {
    FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ);
    try {
      long size = file.facts().size();
      return new FileContent(
          channel,
          size,
          size < SMALL ? Optional.empty() : Optional.of(HoleFinder.open(file.path())));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns the number of bytes left up to the size. */
  long left() {
    return size - position;
  }

  /**
   * Fills a part of the array. Returns the number of bytes, or -1 if the file has become shorter.
   */
  int read(byte[] bytes) throws IOException {
    int maxBytes = (int) Math.min(bytes.length, left());
    findHole();
    if (position < endOfHole) {
      int zeros = (int) Math.min(maxBytes, endOfHole - position);
      Arrays.fill(bytes, 0, zeros, (byte) 0);
      position += zeros;
      return zeros;
    }
    int count = channel.read(ByteBuffer.wrap(bytes, 0, maxBytes), position);
    if (count > 0) {
      position += count;
    }
    return count;
  }

  private void findHole() throws IOException {
    if (holes.isEmpty() || position < endOfHole) {
      return;
    }
    long data = holes.get().nextData(position);
    if (data == Long.MAX_VALUE) {
      // A hole up to the end of the file, which may have become shorter.
      endOfHole = Math.min(size, channel.size());
    } else if (data - position >= SMALLEST_HOLE) {
      endOfHole = Math.min(size, data);
    }
  }

  /** Fills the array with zeros in place of bytes that the file no longer has. */
  int skip(byte[] bytes) {
    int zeros = (int) Math.min(bytes.length, left());
    Arrays.fill(bytes, 0, zeros, (byte) 0);
    position += zeros;
    return zeros;
  }

  @Override
  public void close() throws IOException {
    holes.ifPresent(HoleFinder::close);
    channel.close();
  }
}
