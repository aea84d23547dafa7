package dev.trainyard.server.backup;

import dev.trainyard.engine.TreeDeleter;
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
 * What makes a restore happen wholly or not at all, wherever it is cut off. Everything is first put
 * into a directory of its own; a mark says that it is complete; only then each part is moved to its
 * place. Whoever opens the data directory next, a server or another restore, goes on or cleans up.
 */
public final class PendingRestore {
  private static final Logger LOG = LoggerFactory.getLogger(PendingRestore.class);
  private static final String STAGING = "restoring";
  private static final String COMPLETE = "complete";

  /** The mark where the rows are in the staging directory too. */
  static final String ALL_STAGED = "all";

  /** The mark where the rows are committed elsewhere, just after it is written. */
  static final String IF_COMMITTED = "if-committed";

  private final DataDirectory directory;
  private final Path staging;

  PendingRestore(DataDirectory directory) {
    this.directory = directory;
    this.staging = directory.resolve(STAGING);
  }

  /**
   * Ends what an earlier restore began.
   *
   * @param committed whether the database has the rows; asked only where that decides
   */
  public static void settle(DataDirectory directory, BooleanSupplier committed) {
    PendingRestore pending = new PendingRestore(directory);
    if (!Files.isDirectory(pending.staging, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      String mark =
          Files.exists(pending.mark()) ? Files.readString(pending.mark()).strip() : "none";
      if (mark.equals(ALL_STAGED) || (mark.equals(IF_COMMITTED) && committed.getAsBoolean())) {
        LOG.info("a restore that was cut off is finished now");
        pending.moveIntoPlace();
      } else {
        LOG.info("a restore that was cut off before it was complete is undone");
        pending.discard();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An empty directory on the same disk. */
  Path begin() throws IOException {
    return Files.createDirectory(
        staging,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** From here on the restore counts. */
  void complete(String mark) throws IOException {
    Descriptor.sync(staging);
    Files.writeString(mark(), mark);
    Descriptor.sync(staging);
  }

  private Path mark() {
    return staging.resolve(COMPLETE);
  }

  void discard() {
    TreeDeleter.delete(staging);
  }

  /** May be repeated. What is there already, like a file of settings, stays as it is. */
  void moveIntoPlace() throws IOException {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(staging)) {
      for (Path part : parts) {
        String name = part.getFileName().toString();
        if (!name.equals(COMPLETE)) {
          move(part, directory.resolve(name));
        }
      }
    }
    Descriptor.sync(directory.path());
    discard();
  }

  private static void move(Path part, Path place) throws IOException {
    boolean directoryThere = Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
    if (Files.exists(place, LinkOption.NOFOLLOW_LINKS) && !directoryThere) {
      LOG.info("{} was there already and stays", place);
      return;
    }
    if (directoryThere) {
      Files.delete(place);
    }
    Files.move(part, place, StandardCopyOption.ATOMIC_MOVE);
  }
}
