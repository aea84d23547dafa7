package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Opens regular files that a task can open too. */
public final class TaskWrittenFile {
  private static final int O_RDONLY = 0;
  private static final int O_WRONLY = 1;
  private static final int O_NONBLOCK = 0x800;

  private TaskWrittenFile() {}

  /**
   * Opens a file for reading without waiting. A task can hold a lease (fcntl F_SETLEASE) on its
   * files: an ordinary open then waits until the kernel revokes the lease, 45 seconds by default,
   * and a task can hold leases on thousands of files. Such a file is not opened. Because the
   * attempt causes the kernel to revoke the lease, a later attempt succeeds unless the task takes
   * another lease.
   *
   * @throws LinuxException if the file cannot be opened, for example because a task holds a lease
   *     on it; see {@link LinuxException#isLeased}
   */
  public static FileChannel openForReading(Path file, LinkOption... options) throws IOException {
    return open(file, O_RDONLY, StandardOpenOption.READ, options);
  }

  /** Like {@link #openForReading}, for writing to an existing file. */
  public static FileChannel openForWriting(Path file, LinkOption... options) throws IOException {
    return open(file, O_WRONLY, StandardOpenOption.WRITE, options);
  }

  private static FileChannel open(
      Path file, int access, StandardOpenOption javaAccess, LinkOption... options)
      throws IOException {
    boolean followLinks = !List.of(options).contains(LinkOption.NOFOLLOW_LINKS);
    int descriptor = open(file, access | O_NONBLOCK | (followLinks ? 0 : Linux.O_NOFOLLOW));
    try {
      // While this descriptor is open, no process can take a lease for which a second open with the
      // same access would have to wait.
      return FileChannel.open(Path.of("/proc/self/fd/" + descriptor), javaAccess);
    } finally {
      Linux.close(descriptor);
    }
  }

  private static int open(Path file, int flags) throws IOException {
    try {
      return Linux.open(file.toString(), flags);
    } catch (LinuxException e) {
      switch (e.errno()) {
        case LinuxException.ENOENT -> throw new NoSuchFileException(file.toString());
        case LinuxException.EACCES -> throw new AccessDeniedException(file.toString());
        default -> throw e;
      }
    }
  }
}
