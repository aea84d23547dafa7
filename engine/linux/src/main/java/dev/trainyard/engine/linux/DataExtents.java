package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The parts of a regular file that contain data, in ascending order. Between two extents is a hole
 * of at least 64 KiB, which occupies no disk space and reads as zeros. Offsets and lengths are
 * multiples of 512 bytes, except that the last extent may end at the end of the file. This is a
 * snapshot, because the file may change at any time.
 */
public final class DataExtents {
  /** Maximum number of extents of a file, because they are kept in memory. */
  public static final int MAX_EXTENTS = 1_000_000;

  /**
   * Minimum size of a hole; a smaller hole counts as data. This limits the number of extents. In
   * total they are still at most 16 times as large as the disk space that the file occupies.
   */
  private static final long MIN_HOLE_BYTES = 64 * 1024;

  private static final int SEEK_END = 2;
  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;
  private static final int O_NONBLOCK = 0x800;
  private static final long ALIGNMENT = 512;

  private final long fileSize;
  private long[] bounds = new long[8];
  private int count;
  private long dataBytes;

  private DataExtents(long fileSize) {
    this.fileSize = fileSize;
  }

  /**
   * Finds the extents of a file. On file systems that do not report holes, the whole file is one
   * extent. A symbolic link is followed, which allows {@code /proc/self/fd/N}.
   */
  public static DataExtents of(Path file) throws IOException {
    int descriptor = Linux.open(file.toString(), O_NONBLOCK);
    try {
      return of(descriptor);
    } finally {
      Linux.close(descriptor);
    }
  }

  private static DataExtents of(int descriptor) throws IOException {
    long size = seek(descriptor, 0, SEEK_END);
    DataExtents extents = new DataExtents(size);
    long position = 0;
    while (position < size) {
      long data;
      try {
        data = seek(descriptor, position, SEEK_DATA);
      } catch (LinuxException e) {
        if (e.errno() == LinuxException.ENXIO) {
          break; // because only a hole follows
        }
        if (!e.isNotSupported()) {
          throw e;
        }
        extents.add(position, size);
        break;
      }
      // The file may grow or shrink at any time, so neither call is certain to make progress.
      if (data < position || data >= size) {
        break;
      }
      long dataEnd = Math.min(size, endOfData(descriptor, data, size));
      extents.add(data, dataEnd);
      position = Math.max(dataEnd, data + 1);
    }
    return extents;
  }

  private static long endOfData(int descriptor, long data, long size) throws LinuxException {
    try {
      return Math.max(data + 1, seek(descriptor, data, SEEK_HOLE));
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.ENXIO) {
        return size; // because the file became shorter; the reader finds the new end
      }
      throw e;
    }
  }

  private static long seek(int descriptor, long offset, int whence) throws LinuxException {
    return Linux.call("seek", SystemCall.LSEEK, descriptor, offset, whence);
  }

  private void add(long dataStart, long dataEnd) throws IOException {
    long start = dataStart / ALIGNMENT * ALIGNMENT;
    long end = Math.min(fileSize, dataEnd + (ALIGNMENT - dataEnd % ALIGNMENT) % ALIGNMENT);
    if (count > 0 && start - bounds[2 * count - 1] < MIN_HOLE_BYTES) {
      dataBytes += end - bounds[2 * count - 1];
      bounds[2 * count - 1] = end;
      return;
    }
    if (count == MAX_EXTENTS) {
      throw new IOException("the file has more than " + MAX_EXTENTS + " separate extents");
    }
    if (2 * count == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[2 * count] = start;
    bounds[2 * count + 1] = end;
    count++;
    dataBytes += end - start;
  }

  /**
   * Returns whether the extents do not cover the whole file. Holes that count as data are ignored.
   */
  public boolean hasHoles() {
    return dataBytes < fileSize;
  }

  /** Returns the size of the file including its holes. */
  public long fileSize() {
    return fileSize;
  }

  /** Returns the total length of all extents. */
  public long dataBytes() {
    return dataBytes;
  }

  public int count() {
    return count;
  }

  /** Returns the offset in the file at which an extent begins. */
  public long offset(int index) {
    return bounds[2 * index];
  }

  public long length(int index) {
    return bounds[2 * index + 1] - bounds[2 * index];
  }
}
