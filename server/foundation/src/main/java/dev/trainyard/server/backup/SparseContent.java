package dev.trainyard.server.backup;

import dev.trainyard.engine.linux.DataExtents;
import dev.trainyard.engine.linux.TaskWrittenFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The content of a sparse file in GNU tar's PAX format 1.0. It consists of a map and the data of
 * the extents. The map contains the number of extents, and then the offset and length of each
 * extent, as one decimal number per line. It is padded with zeros to a multiple of 512 bytes. If
 * the file ends with a hole, the last extent has length 0 and is at the end of the file. If the
 * file is truncated while it is read, missing data is replaced by zeros.
 */
final class SparseContent extends InputStream {
  /**
   * Files below this size are not examined for holes, because the space that could be saved does
   * not justify a system call.
   */
  private static final long MIN_EXAMINED_SIZE = 64 * 1024;

  /** Maximum length of a number with its line break; a 63-bit number has at most 19 digits. */
  private static final int MAX_NUMBER_LENGTH = 20;

  private final FileChannel file;
  private final DataExtents extents;
  private final byte[] map;
  private int mapPosition;
  private int extentIndex;
  private long extentPosition;

  private SparseContent(FileChannel file, DataExtents extents) {
    this.file = file;
    this.extents = extents;
    this.map = map(extents);
  }

  /**
   * Opens a file that has holes.
   *
   * @param size expected size of the file
   * @return empty if the file has no holes, or is too small to be examined, and should be stored as
   *     an ordinary file
   */
  static Optional<SparseContent> open(Path path, long size) throws IOException {
    if (size < MIN_EXAMINED_SIZE) {
      return Optional.empty();
    }
    DataExtents extents = DataExtents.of(path);
    if (!extents.hasHoles()) {
      return Optional.empty();
    }
    return Optional.of(new SparseContent(TaskWrittenFile.openForReading(path), extents));
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
    return Arrays.copyOf(text, paddedLength(text.length));
  }

  private static int paddedLength(int length) {
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
    if (mapPosition < map.length) {
      int count = Math.min(length, map.length - mapPosition);
      System.arraycopy(map, mapPosition, buffer, offset, count);
      mapPosition += count;
      return count;
    }
    while (extentIndex < extents.count() && extentPosition == extents.length(extentIndex)) {
      extentIndex++;
      extentPosition = 0;
    }
    if (extentIndex == extents.count()) {
      return -1;
    }
    int maxCount = (int) Math.min(length, extents.length(extentIndex) - extentPosition);
    ByteBuffer target = ByteBuffer.wrap(buffer, offset, maxCount);
    int count = file.read(target, extents.offset(extentIndex) + extentPosition);
    if (count < 0) {
      Arrays.fill(buffer, offset, offset + maxCount, (byte) 0);
      count = maxCount;
    }
    extentPosition += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * Restores a sparse file: writes its content from an archive into an empty file, with the same
   * holes.
   */
  static void restore(ArchiveReader.Content content, long fileSize, FileChannel file)
      throws IOException {
    StoredContentReader reader = new StoredContentReader(content);
    long[] offsetsAndLengths = reader.readMap(fileSize);
    long end = 0;
    for (int i = 0; i < offsetsAndLengths.length; i += 2) {
      file.position(offsetsAndLengths[i]);
      reader.copy(offsetsAndLengths[i + 1], file);
      end = offsetsAndLengths[i + 1] > 0 ? offsetsAndLengths[i] + offsetsAndLengths[i + 1] : end;
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

  /** Reads and validates the stored content of a sparse file. */
  private static final class StoredContentReader {
    private final ArchiveReader.Content content;
    private final byte[] buffer = new byte[64 * 1024];
    private int position;
    private int bufferedLength;
    private int mapBytes;

    StoredContentReader(ArchiveReader.Content content) {
      this.content = content;
    }

    long[] readMap(long fileSize) throws IOException {
      long count = readNumber();
      if (count > DataExtents.MAX_EXTENTS + 1L) {
        throw new IOException("a sparse file has too many extents");
      }
      long[] offsetsAndLengths = new long[16];
      long end = 0;
      int numberCount = 0;
      // The array grows with the data that was read, because the count in the header may be false.
      while (numberCount < 2 * count) {
        if (numberCount == offsetsAndLengths.length) {
          offsetsAndLengths = Arrays.copyOf(offsetsAndLengths, 2 * offsetsAndLengths.length);
        }
        long offset = readNumber();
        long length = readNumber();
        if (offset < end || offset > fileSize || length > fileSize - offset) {
          throw new IOException("a sparse file has overlapping extents");
        }
        offsetsAndLengths[numberCount] = offset;
        offsetsAndLengths[numberCount + 1] = length;
        numberCount += 2;
        end = offset + length;
      }
      for (int paddingLeft = paddedLength(mapBytes) - mapBytes; paddingLeft > 0; paddingLeft--) {
        readByte();
      }
      return Arrays.copyOf(offsetsAndLengths, numberCount);
    }

    private long readNumber() throws IOException {
      long value = 0;
      for (int digits = 0; digits < MAX_NUMBER_LENGTH; digits++) {
        int digit = readByte();
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

    private int readByte() throws IOException {
      fill();
      mapBytes++;
      return buffer[position++];
    }

    private void fill() throws IOException {
      while (position == bufferedLength) {
        position = 0;
        bufferedLength = content.read(buffer);
        if (bufferedLength < 0) {
          throw new EOFException("a sparse file ends early");
        }
      }
    }

    void copy(long length, FileChannel file) throws IOException {
      for (long remaining = length; remaining > 0; ) {
        fill();
        int count = (int) Math.min(remaining, bufferedLength - position);
        ByteBuffer bytes = ByteBuffer.wrap(buffer, position, count);
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
        position += count;
        remaining -= count;
      }
    }
  }
}
