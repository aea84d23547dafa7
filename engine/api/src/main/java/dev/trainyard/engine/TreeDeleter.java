package dev.trainyard.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes a directory that tasks could write to. It operates only on open directories and names, so
 * that no symbolic link can redirect it, not even one that is created concurrently. It moves nested
 * directories up to the top first, so that no nesting is too deep. Other processes may create and
 * delete files at the same time: files that are already gone are ignored, and new files are deleted
 * in another pass.
 *
 * <p>A server that does not run as root may encounter directories of its own account that it cannot
 * enter, because a task or the kernel created them that way. Their owner is granted access first.
 */
public final class TreeDeleter {
  private static final String MOVED_UP = ".deleting-";

  /**
   * At least one pass per level of nesting; limited because a process that keeps adding files must
   * not block the deletion forever.
   */
  private static final int MOST_PASSES = 1_000_000;

  private static final int MOST_UNLOCKINGS = 5;

  private final SecureDirectoryStream<Path> parent;
  private final Path top;
  private long movedUp;

  private TreeDeleter(SecureDirectoryStream<Path> parent, Path top) {
    this.parent = parent;
    this.top = top;
  }

  /** Deletes a directory with all its contents; has no effect if it does not exist. */
  public static void delete(Path directory) {
    try (DirectoryStream<Path> parent = Files.newDirectoryStream(directory.getParent())) {
      if (!(parent instanceof SecureDirectoryStream<Path> secure)) {
        throw new IOException("this file system does not support secure directory streams");
      }
      new TreeDeleter(secure, directory.getFileName()).deleteUnlocking(directory);
    } catch (NoSuchFileException e) {
      // There is nothing to delete.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deleteUnlocking(Path directory) throws IOException {
    for (int unlockings = 0; ; unlockings++) {
      try {
        delete();
        return;
      } catch (AccessDeniedException e) {
        if (unlockings == MOST_UNLOCKINGS) {
          throw e;
        }
        unlock(directory, e);
      }
    }
  }

  /**
   * Adds permissions for the owner only, so that it does no harm even if a process replaces a
   * directory by a link at the same moment. It runs chmod because Java would have to open the
   * directory first.
   */
  private static void unlock(Path directory, AccessDeniedException cause) throws IOException {
    try {
      new ProcessBuilder("chmod", "-R", "u+rwX", "--", directory.toAbsolutePath().toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cause;
    }
  }

  private void delete() throws IOException {
    if (deletedAsFile(parent, top)) {
      return;
    }
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      if (emptyOnce() && deletedAsDirectory(parent, top)) {
        return;
      }
    }
    throw new IOException(top + " is refilled faster than it can be deleted");
  }

  /**
   * Deletes the current contents of the top directory; returns false if new entries have appeared.
   */
  private boolean emptyOnce() throws IOException {
    long before = movedUp;
    boolean all = true;
    try (SecureDirectoryStream<Path> directory = open(parent, top)) {
      for (Path name : names(directory)) {
        if (!deletedAsFile(directory, name)) {
          flatten(directory, name);
          all &= deletedAsDirectory(directory, name);
        }
      }
    }
    return all && movedUp == before;
  }

  private void flatten(SecureDirectoryStream<Path> above, Path name) throws IOException {
    try (SecureDirectoryStream<Path> directory = open(above, name)) {
      for (Path child : names(directory)) {
        if (!deletedAsFile(directory, child)) {
          moveUp(directory, child, above);
        }
      }
    } catch (NoSuchFileException e) {
      // Another process deleted it.
    }
  }

  private void moveUp(
      SecureDirectoryStream<Path> from, Path name, SecureDirectoryStream<Path> above)
      throws IOException {
    // If the new name belongs to a file, that file is replaced, which is intended anyway. If it
    // belongs to a directory that is not empty, the move fails and the next number is used.
    for (int attempt = 0; ; attempt++) {
      try {
        from.move(name, above, Path.of(MOVED_UP + movedUp++));
        return;
      } catch (NoSuchFileException e) {
        return;
      } catch (AccessDeniedException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == 1_000) {
          throw e;
        }
      }
    }
  }

  private static boolean deletedAsFile(SecureDirectoryStream<Path> directory, Path name)
      throws AccessDeniedException {
    try {
      directory.deleteFile(name);
      return true;
    } catch (NoSuchFileException e) {
      return true;
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns false if new entries have appeared in the directory. */
  private static boolean deletedAsDirectory(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    try {
      directory.deleteDirectory(name);
      return true;
    } catch (NoSuchFileException e) {
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  private static SecureDirectoryStream<Path> open(SecureDirectoryStream<Path> above, Path name)
      throws IOException {
    return above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
  }

  private static List<Path> names(DirectoryStream<Path> directory) {
    List<Path> names = new ArrayList<>();
    directory.forEach(entry -> names.add(entry.getFileName()));
    return names;
  }
}
