package dev.trainyard.server.backup;

import dev.trainyard.engine.linux.DataExtents;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * The content of a sparse file in GNU tar's PAX format 1.0: the number of extents, then offset and
 * length of each, one decimal number per line, padded with zeros to a multiple of 512 bytes; then
 * the data of the extents. A file that ends with a hole has a last extent of length 0 at its end.
 * The file may change while it is read: missing data is replaced by zeros.
 */
final class SparseContent extends InputStream {
  /** Smaller files are not examined, because a hole in them is not worth a system call. */
  private static final long SMALLEST = 64 * 1024;

  /** Longer than the decimal form of any 63-bit number. */
  private static final int MAX_NUMBER_LENGTH = 20;

  private final FileChannel file;
  private final DataExtents extents;
  private final byte[] map;
  private int mapRead;
  private int extent;
  private long extentRead;

  private SparseContent(FileChannel file, DataExtents extents) {
    this.file = file;
    this.extents = extents;
    this.map = map(extents);
  }

  /**
   * Opens a file that has holes.
   *
   * @param size expected size of the file
   * @return empty if the file has no holes and should be read as it is
   */
  static Optional<SparseContent> open(Path path, long size) throws IOException {
    if (size < SMALLEST) {
      return Optional.empty();
    }
    DataExtents extents = DataExtents.of(path);
    if (!extents.hasHoles()) {
      return Optional.empty();
    }
    return Optional.of(new SparseContent(FileChannel.open(path, StandardOpenOption.READ), extents));
  }

  private static byte[] map(DataExtents extents) {
    int count = extents.count();
    boolean endsWithHole =
        count == 0 || extents.offset(count - 1) + extents.length(count - 1) < extents.fileSize();
    StringBuilder lines = new StringBuilder();
    lines.append(endsWithHole ? count + 1 : count).append('\n');
    for (int i = 0; i < count; i++) {
      lines.append(extents.offset(i)).append('\n').append(extents.length(i)).append('\n');
    }
    if (endsWithHole) {
      lines.append(extents.fileSize()).append("\n0\n");
    }
    byte[] text = lines.toString().getBytes(StandardCharsets.US_ASCII);
    return Arrays.copyOf(text, padded(text.length));
  }

  private static int padded(int length) {
    return (length + TarOutput.BLOCK - 1) / TarOutput.BLOCK * TarOutput.BLOCK;
  }

  /** Returns the number of bytes that this stream provides. */
  long storedSize() {
    return map.length + extents.dataBytes();
  }

  /** Returns the size of the file including its holes. */
  long fileSize() {
    return extents.fileSize();
  }

  @Override
  public int read() throws IOException {
    byte[] oneByte = new byte[1];
    return read(oneByte, 0, 1) < 0 ? -1 : oneByte[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (mapRead < map.length) {
      int count = Math.min(length, map.length - mapRead);
      System.arraycopy(map, mapRead, buffer, offset, count);
      mapRead += count;
      return count;
    }
    while (extent < extents.count() && extentRead == extents.length(extent)) {
      extent++;
      extentRead = 0;
    }
    if (extent == extents.count()) {
      return -1;
    }
    int wanted = (int) Math.min(length, extents.length(extent) - extentRead);
    ByteBuffer target = ByteBuffer.wrap(buffer, offset, wanted);
    int count = file.read(target, extents.offset(extent) + extentRead);
    if (count < 0) {
      Arrays.fill(buffer, offset, offset + wanted, (byte) 0);
      count = wanted;
    }
    extentRead += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Writes the content of a sparse file in an archive into an empty file, preserving its holes. */
  static void restore(ArchiveReader.Content content, long fileSize, FileChannel file)
      throws IOException {
    Source source = new Source(content);
    long[] bounds = source.map(fileSize);
    long end = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      file.position(bounds[i]);
      source.copy(bounds[i + 1], file);
      end = bounds[i + 1] > 0 ? bounds[i] + bounds[i + 1] : end;
    }
    if (end < fileSize) {
      // Java cannot extend a file without writing to it.
      file.position(fileSize - 1);
      write(file, new byte[1], 1);
    }
  }

  /** Writes the first {@code length} bytes of a buffer. */
  static void write(FileChannel file, byte[] buffer, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, length);
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  /** Reads the stored form and validates everything in it. */
  private static final class Source {
    private final ArchiveReader.Content content;
    private final byte[] buffer = new byte[64 * 1024];
    private int at;
    private int filled;
    private int mapBytes;

    Source(ArchiveReader.Content content) {
      this.content = content;
    }

    long[] map(long fileSize) throws IOException {
      long count = number();
      if (count > DataExtents.MAX_EXTENTS + 1L) {
        throw new IOException("a sparse file has too many extents");
      }
      long[] bounds = new long[16];
      long end = 0;
      int numbers = 0;
      // The list grows with the data that is present, not with the announced count.
      while (numbers < 2 * count) {
        if (numbers == bounds.length) {
          bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        long offset = number();
        long length = number();
        if (offset < end || offset > fileSize || length > fileSize - offset) {
          throw new IOException("a sparse file has overlapping extents");
        }
        bounds[numbers] = offset;
        bounds[numbers + 1] = length;
        numbers += 2;
        end = offset + length;
      }
      for (int rest = padded(mapBytes) - mapBytes; rest > 0; rest--) {
        next();
      }
      return Arrays.copyOf(bounds, numbers);
    }

    private long number() throws IOException {
      long value = 0;
      for (int digits = 0; digits < MAX_NUMBER_LENGTH; digits++) {
        int digit = next();
        if (digit == '\n' && digits > 0) {
          return value;
        }
        if (digit < '0' || digit > '9' || value > (Long.MAX_VALUE - 9) / 10) {
          break;
        }
        value = 10 * value + (digit - '0');
      }
      throw new IOException("the map of a sparse file is damaged");
    }

    private int next() throws IOException {
      fill();
      mapBytes++;
      return buffer[at++];
    }

    private void fill() throws IOException {
      while (at == filled) {
        at = 0;
        filled = content.read(buffer);
        if (filled < 0) {
          throw new EOFException("a sparse file ends early");
        }
      }
    }

    void copy(long length, FileChannel file) throws IOException {
      for (long remaining = length; remaining > 0; ) {
        fill();
        int count = (int) Math.min(remaining, filled - at);
        ByteBuffer bytes = ByteBuffer.wrap(buffer, at, count);
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
        at += count;
        remaining -= count;
      }
    }
  }
}
