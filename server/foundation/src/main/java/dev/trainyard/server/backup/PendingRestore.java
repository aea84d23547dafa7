package dev.trainyard.server.backup;

import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.server.config.DataDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that a restore takes effect completely or not at all, even if it is interrupted. All
 * files are first written to a staging directory. A mark then records that they are complete. Only
 * after that, each part is moved to its final location. The next process that opens the data
 * directory, a server or another restore, completes or rolls back an interrupted restore.
 */
public final class PendingRestore {
  private static final Logger LOG = LoggerFactory.getLogger(PendingRestore.class);
  private static final String STAGING_DIRECTORY = "restoring";
  private static final String MARK_FILE = "complete";

  /** Content of the mark if the rows are also in the staging directory. */
  static final String ALL_STAGED = "all";

  /**
   * Content of the mark if the rows are in another database. The rows are committed immediately
   * after the mark is written.
   */
  static final String IF_COMMITTED = "if-committed";

  private final DataDirectory directory;
  private final Path staging;

  PendingRestore(DataDirectory directory) {
    this.directory = directory;
    this.staging = directory.resolve(STAGING_DIRECTORY);
  }

  /**
   * Completes or rolls back an interrupted restore.
   *
   * @param committed returns whether the rows are committed; called only if the decision depends on
   *     this
   */
  public static void completeOrRollBack(DataDirectory directory, BooleanSupplier committed) {
    PendingRestore pending = new PendingRestore(directory);
    if (!Files.isDirectory(pending.staging, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      String mark =
          Files.exists(pending.markFile()) ? Files.readString(pending.markFile()).strip() : "none";
      if (mark.equals(ALL_STAGED) || (mark.equals(IF_COMMITTED) && committed.getAsBoolean())) {
        LOG.info("completing an interrupted restore");
        pending.moveIntoPlace();
      } else {
        LOG.info("rolling back an interrupted restore");
        pending.discard();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates the staging directory, which is on the same disk as the data directory. */
  Path begin() throws IOException {
    return Files.createDirectory(
        staging,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Writes the mark. If the restore is interrupted after that, it is completed; with {@link
   * #IF_COMMITTED}, only if the rows are committed.
   */
  void complete(String mark) throws IOException {
    Linux.syncFileSystem(staging);
    Files.writeString(markFile(), mark);
    Linux.syncFileSystem(staging);
  }

  private Path markFile() {
    return staging.resolve(MARK_FILE);
  }

  void discard() {
    TreeDeleter.delete(staging);
  }

  /**
   * Moves all parts to their final locations. Can be called again after an interruption. Existing
   * files, such as a settings file, are not replaced.
   */
  void moveIntoPlace() throws IOException {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(staging)) {
      for (Path part : parts) {
        String name = part.getFileName().toString();
        if (!name.equals(MARK_FILE)) {
          move(part, directory.resolve(name));
        }
      }
    }
    Linux.syncFileSystem(directory.path());
    discard();
  }

  private static void move(Path part, Path target) throws IOException {
    boolean targetIsDirectory = Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS) && !targetIsDirectory) {
      LOG.info("{} already exists and is not replaced", target);
      return;
    }
    if (targetIsDirectory) {
      Files.delete(target);
    }
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }
}
