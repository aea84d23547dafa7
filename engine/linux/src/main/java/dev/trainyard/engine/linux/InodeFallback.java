package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Creates marker files, whose existence is their only information, even on a file system without
 * free inodes.
 */
public final class InodeFallback {
  /** More bytes than a file system can store inside the inode of a file. */
  private static final int PROBE_BYTES = 65_536;

  private InodeFallback() {}

  /** Creates a file. */
  @FunctionalInterface
  public interface Creation {
    void run() throws IOException;
  }

  /**
   * Creates a file, or a second name of an existing file if the file system is full. A name needs
   * no inode, and no space if its directory has a free entry.
   *
   * @throws FileAlreadyExistsException if the file exists
   */
  public static void createOrLink(Creation creation, Path file, Path existing) throws IOException {
    try {
      creation.run();
    } catch (FileSystemException e) {
      if (!isFull(e)) {
        throw e;
      }
      try {
        Files.createLink(file, existing);
      } catch (FileAlreadyExistsException alreadyExists) {
        throw alreadyExists;
      } catch (IOException | UnsupportedOperationException linkFailure) {
        e.addSuppressed(linkFailure);
        throw e;
      }
    }
  }

  /** Returns whether a file system has no free space or no free inode. */
  public static boolean isFull(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException
          && String.valueOf(cause.getMessage()).contains("No space left on device")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a failure was caused by the full file system of a directory. The kernel reports
   * the same error for other limits, such as the number of namespaces.
   */
  public static boolean isFull(Throwable failure, Path directory) {
    if (!isFull(failure)) {
      return false;
    }
    try {
      Path probe = Files.createTempFile(directory, "space", null);
      try {
        Files.write(probe, new byte[PROBE_BYTES]);
        return false;
      } finally {
        Files.delete(probe);
      }
    } catch (IOException e) {
      return true;
    }
  }
}
