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
 * Deletes a directory that tasks could write to. Works on open directories and names only, so that
 * no symbolic link, not even one put there meanwhile, leads it elsewhere. Directories further down
 * are first moved up to the top, so that no depth of nesting is too deep for it. Others may add and
 * delete at the same time: what is gone is gone, and what came is met in another pass.
 *
 * <p>A server that is not root may meet directories of its own account that it may not enter: a
 * task can make such, and so does the kernel. They are opened for their owner first.
 */
public final class TreeDeleter {
  private static final String MOVED_UP = ".deleting-";

  /** One per level of nesting, and then some: who keeps adding must not keep us for ever. */
  private static final int MOST_PASSES = 1_000_000;

  private static final int MOST_UNLOCKINGS = 5;

  private final SecureDirectoryStream<Path> parent;
  private final Path top;
  private long movedUp;

  private TreeDeleter(SecureDirectoryStream<Path> parent, Path top) {
    this.parent = parent;
    this.top = top;
  }

  /** Deletes a directory with all it contains; nothing happens if there is none. */
  public static void delete(Path directory) {
    try (DirectoryStream<Path> parent = Files.newDirectoryStream(directory.getParent())) {
      if (!(parent instanceof SecureDirectoryStream<Path> secure)) {
        throw new IOException("this file system can't be walked safely");
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
   * Only adds rights of the owner, so that it does no harm even where somebody puts a link in its
   * way at the very moment. Java itself can't do it: it would have to open the directory first.
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
    throw new IOException(top + " is filled again faster than it can be deleted");
  }

  /** Deletes what is in the top directory now; false if something is in it again. */
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
      // Somebody else deleted it.
    }
  }

  private void moveUp(
      SecureDirectoryStream<Path> from, Path name, SecureDirectoryStream<Path> above)
      throws IOException {
    // A name that is taken by a file would be replaced, which is what we want anyway; one taken by
    // a directory that is not empty is refused, and the next number is tried.
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

  /** False if something has come into it meanwhile. */
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
