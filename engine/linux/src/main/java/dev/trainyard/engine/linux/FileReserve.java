package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Disk space reserved behind the end of a file, so that the file can grow when the disk is full. No
 * other file and no other process can use the space; the size of the file does not change.
 *
 * <p>The file stays open until {@link #close}. Closing a descriptor releases all POSIX locks that
 * the process holds on the file, so call {@code close} only after the code that locks the file has
 * closed the file too.
 */
public final class FileReserve implements AutoCloseable {
  private static final int O_WRONLY = 1;
  private static final int KEEP_SIZE = 1;
  private static final int SEEK_END = 2;

  private final int descriptor;
  private final long bytes;

  private FileReserve(int descriptor, long bytes) {
    this.descriptor = descriptor;
    this.bytes = bytes;
  }

  /**
   * Opens an existing file; reserves nothing yet.
   *
   * @param bytes space to keep behind the end of the file
   */
  public static FileReserve open(Path file, long bytes) throws IOException {
    return new FileReserve(Linux.open(file.toString(), O_WRONLY | Linux.O_NOFOLLOW), bytes);
  }

  /**
   * Reserves the missing space behind the current end of the file.
   *
   * @throws LinuxException if the disk is full or the file system cannot reserve space
   */
  public void topUp() throws LinuxException {
    // No code reads or writes through this descriptor, so its position does not matter.
    long end = Linux.call("seek", SystemCall.LSEEK, descriptor, 0, SEEK_END);
    Linux.call("reserve disk space", SystemCall.FALLOCATE, descriptor, KEEP_SIZE, end, bytes);
  }

  @Override
  public void close() {
    Linux.close(descriptor);
  }
}
