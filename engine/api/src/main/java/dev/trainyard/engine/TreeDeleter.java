package dev.trainyard.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Deletes a directory that tasks could write to. It uses only names relative to open directories,
 * so that no symbolic link can redirect it, not even one that is created concurrently. It first
 * moves nested directories up, so that it can delete trees of any depth, and it deletes entries
 * while it reads them, so that a directory may contain any number of names. Other processes may
 * create and delete files at the same time: files that no longer exist are ignored, and new files
 * are deleted in another pass.
 *
 * <p>If the server does not run as root, a directory of its own account may deny access to the
 * owner. The deletion then adds the missing permissions and starts again.
 */
public final class TreeDeleter {
  /**
   * Maximum number of entries that one pass reads from a directory. Without a limit, a process that
   * keeps adding files could extend the pass forever.
   */
  private static final int MAX_ENTRIES_PER_PASS = 1_000_000;

  /**
   * Maximum number of passes; each level of nesting takes at least one. Without a limit, a process
   * that keeps adding files could block the deletion forever.
   */
  private static final int MAX_PASSES = 1_000_000;

  private static final int MAX_UNLOCK_ATTEMPTS = 5;

  private final SecureDirectoryStream<Path> parent;
  private final Path top;

  /** Random, so that a task cannot occupy the names to which directories are moved. */
  private final String movedPrefix =
      ".deleting-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + "-";

  private long movedCount;

  private TreeDeleter(SecureDirectoryStream<Path> parent, Path top) {
    this.parent = parent;
    this.top = top;
  }

  /** Deletes a directory with all its contents; has no effect if it does not exist. */
  public static void delete(Path directory) {
    try (DirectoryStream<Path> parent = Files.newDirectoryStream(directory.getParent())) {
      if (!(parent instanceof SecureDirectoryStream<Path> secureParent)) {
        throw new IOException("this file system does not support secure directory streams");
      }
      new TreeDeleter(secureParent, directory.getFileName()).deleteWithUnlocking(directory);
    } catch (NoSuchFileException e) {
      // There is nothing to delete.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deleteWithUnlocking(Path directory) throws IOException {
    for (int unlockAttempts = 0; ; unlockAttempts++) {
      try {
        delete();
        return;
      } catch (AccessDeniedException e) {
        if (unlockAttempts == MAX_UNLOCK_ATTEMPTS) {
          throw e;
        }
        unlock(directory, e);
      }
    }
  }

  /**
   * Adds permissions for the owner. This is harmless even if a process replaces a directory by a
   * link at the same moment, because it adds permissions only for the owner. It runs chmod because
   * Java would have to open the directory first.
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
    if (tryDeleteFile(parent, top)) {
      return;
    }
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      if (deleteContents() && tryDeleteDirectory(parent, top)) {
        return;
      }
    }
    throw new IOException("new files appear in " + top + " faster than they can be deleted");
  }

  /**
   * Deletes the current contents of the top directory, except nested directories, which it moves
   * up. Returns false if another pass is necessary.
   */
  private boolean deleteContents() throws IOException {
    long movedBefore = movedCount;
    boolean[] allDeleted = {true};
    try (SecureDirectoryStream<Path> directory = open(parent, top)) {
      forEachName(
          directory,
          name -> {
            if (!tryDeleteFile(directory, name)) {
              flatten(directory, name);
              allDeleted[0] &= tryDeleteDirectory(directory, name);
            }
          });
    }
    return allDeleted[0] && movedCount == movedBefore;
  }

  private void flatten(SecureDirectoryStream<Path> parentStream, Path name) throws IOException {
    try (SecureDirectoryStream<Path> directory = open(parentStream, name)) {
      forEachName(
          directory,
          child -> {
            if (!tryDeleteFile(directory, child)) {
              moveUp(directory, child, parentStream);
            }
          });
    } catch (NoSuchFileException e) {
      // Another process deleted it.
    }
  }

  private void moveUp(
      SecureDirectoryStream<Path> directory, Path name, SecureDirectoryStream<Path> parentStream)
      throws IOException {
    // The move replaces an existing file of the new name, which would be deleted anyway. If a
    // directory with the new name exists and is not empty, the move fails, and the next number is
    // used.
    for (int attempt = 0; ; attempt++) {
      try {
        directory.move(name, parentStream, Path.of(movedPrefix + movedCount++));
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

  private static boolean tryDeleteFile(SecureDirectoryStream<Path> directory, Path name)
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
  private static boolean tryDeleteDirectory(SecureDirectoryStream<Path> directory, Path name)
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

  private static SecureDirectoryStream<Path> open(
      SecureDirectoryStream<Path> parentStream, Path name) throws IOException {
    return parentStream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
  }

  /** An operation on an entry of a directory. */
  private interface EntryOperation {
    void apply(Path name) throws IOException;
  }

  /**
   * Applies an operation to the entries while they are read. Entries that are skipped because the
   * operation changes the directory, or because of the limit, are left to the next pass.
   */
  private static void forEachName(DirectoryStream<Path> directory, EntryOperation operation)
      throws IOException {
    Iterator<Path> entries = directory.iterator();
    try {
      for (int count = 0; count < MAX_ENTRIES_PER_PASS && entries.hasNext(); count++) {
        operation.apply(entries.next().getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
