package dev.trainyard.server.db;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restricts access to an SQLite database file, its write-ahead log and its index to their owner.
 */
final class DatabaseFile {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFile.class);
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  private DatabaseFile() {}

  /**
   * Creates the file if it is missing, and removes the access of other accounts to existing files.
   * SQLite creates the write-ahead log and its index with the mode of the database file.
   */
  static void makePrivate(Path file) {
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(PRIVATE));
      return;
    } catch (FileAlreadyExistsException e) {
      LOG.trace("{} exists", file);
    } catch (IOException e) {
      // SQLite reports the reason when it opens the file.
      LOG.debug("failed to create {}", file, e);
      return;
    }
    for (String suffix : List.of("", "-wal", "-shm")) {
      removeAccessOfOthers(file.resolveSibling(file.getFileName() + suffix));
    }
  }

  private static void removeAccessOfOthers(Path file) {
    try {
      if (Files.isRegularFile(file) && !PRIVATE.containsAll(Files.getPosixFilePermissions(file))) {
        Files.setPosixFilePermissions(file, PRIVATE);
        LOG.warn("{} was accessible to other accounts; changed its mode to 600", file);
      }
    } catch (IOException e) {
      LOG.warn(
          "{} is accessible to other accounts; failed to change its mode: {}", file, e.toString());
    }
  }
}
