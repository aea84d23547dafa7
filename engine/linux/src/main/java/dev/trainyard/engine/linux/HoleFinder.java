package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Finds the holes of a regular file one by one as a reader reaches them. It stores no list of
 * holes, so a file may have any number of them and may change at any time. Not thread-safe.
 */
public final class HoleFinder implements AutoCloseable {
  private static final int SEEK_DATA = 3;
  private static final int O_NONBLOCK = 0x800;

  private final int descriptor;
  private boolean supported = true;

  private HoleFinder(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Opens a file. A symbolic link is followed, which allows {@code /proc/self/fd/N}. */
  public static HoleFinder open(Path file) throws IOException {
    return new HoleFinder(Linux.open(file.toString(), O_NONBLOCK));
  }

  /**
   * Returns the given offset if there may be data at it, otherwise the offset of the next data;
   * {@link Long#MAX_VALUE} if no data follows.
   */
  public long nextData(long offset) throws IOException {
    if (!supported) {
      return offset;
    }
    try {
      return Math.max(offset, Linux.call("seek", SystemCall.LSEEK, descriptor, offset, SEEK_DATA));
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.ENXIO) {
        return Long.MAX_VALUE;
      }
      if (!e.isNotSupported()) {
        throw e;
      }
      supported = false;
      return offset;
    }
  }

  @Override
  public void close() {
    Linux.close(descriptor);
  }
}
