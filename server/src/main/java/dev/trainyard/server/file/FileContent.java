package dev.trainyard.server.file;

import dev.trainyard.machine.DataExtents;
import dev.trainyard.machine.LinuxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The content of a file up to the size that it has when it is opened. Holes are not read: a file
 * may have terabytes of them. For one thread at a time.
 */
final class FileContent implements AutoCloseable {
  /** Smaller files are read at once, whatever their holes are. */
  private static final long SMALL = 1024 * 1024;

  private final FileChannel channel;
  private final long size;
  private final DataExtents extents;
  private int extent;
  private long position;

  private FileContent(FileChannel channel, long size, DataExtents extents) {
    this.channel = channel;
    this.size = size;
    this.extents = extents;
  }

  static FileContent open(HeldFile file) throws IOException {
    FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ);
    try {
      long size = file.facts().size();
      return new FileContent(channel, size, size < SMALL ? null : extents(file));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Null if the file is to be read as a whole. */
  private static DataExtents extents(HeldFile file) throws IOException {
    try {
      DataExtents extents = DataExtents.of(file.path());
      return extents.hasHoles() ? extents : null;
    } catch (LinuxException e) {
      throw e;
    } catch (IOException e) {
      return null; // there are too many to remember
    }
  }

  /** Returns how many bytes are left up to the size. */
  long left() {
    return size - position;
  }

  /** Fills a part of the array; returns its length, or -1 if the file has become shorter. */
  int read(byte[] bytes) throws IOException {
    int most = (int) Math.min(bytes.length, left());
    long data = nextData();
    if (data > position) {
      int zeros = (int) Math.min(most, data - position);
      Arrays.fill(bytes, 0, zeros, (byte) 0);
      position += zeros;
      return zeros;
    }
    int count =
        channel.read(
            ByteBuffer.wrap(bytes, 0, (int) Math.min(most, endOfData() - position)), position);
    if (count > 0) {
      position += count;
    }
    return count;
  }

  /** Passes over what the file lacks now, as if it were zeros. */
  int skip(byte[] bytes) {
    int zeros = (int) Math.min(bytes.length, left());
    Arrays.fill(bytes, 0, zeros, (byte) 0);
    position += zeros;
    return zeros;
  }

  /** The current position if data is there, else where the next data begins. */
  private long nextData() {
    if (extents == null) {
      return position;
    }
    while (extent < extents.count()
        && position >= extents.offset(extent) + extents.length(extent)) {
      extent++;
    }
    return extent == extents.count() ? size : Math.max(position, extents.offset(extent));
  }

  private long endOfData() {
    return extents == null ? size : extents.offset(extent) + extents.length(extent);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
