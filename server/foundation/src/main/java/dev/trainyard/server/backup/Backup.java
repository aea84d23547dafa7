package dev.trainyard.server.backup;

import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.UserData;
import dev.trainyard.server.config.UserFiles;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Schema;
import dev.trainyard.server.db.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Writes a backup of a server while the server is running. The rows are a snapshot of one point in
 * time. Files are read later, so a log may be longer than recorded in the rows, but never shorter.
 * Thread-safe.
 */
public final class Backup {
  static final String ROWS_PREFIX = "db/";
  static final String FILES_PREFIX = "files/";

  /** Directories in the data directory that contain the output of tasks. */
  static final List<String> LOG_DIRECTORIES = List.of("logs");

  /** Directories in the data directory that contain the files of users. */
  static final List<String> USER_DIRECTORIES =
      List.of(
          UserData.HOMES.directoryName(),
          UserData.JOBS.directoryName(),
          UserData.SHARED.directoryName(),
          UserData.STORAGES.directoryName());

  private static final long MAX_FILE_SIZE = 1 << 20;

  private final Db db;
  private final DataDirectory directory;
  private final UserFiles userFiles;
  private final String version;
  private final InstantSource clock;
  private final Semaphore backupPermit = new Semaphore(1);

  public Backup(
      Db db, DataDirectory directory, UserFiles userFiles, String version, InstantSource clock) {
    this.db = db;
    this.directory = directory;
    this.userFiles = userFiles;
    this.version = version;
    this.clock = clock;
  }

  /** The optional large parts that a backup contains. */
  public record Contents(boolean logs, boolean homes) {}

  boolean isRunning() {
    return backupPermit.availablePermits() == 0;
  }

  /**
   * Writes a backup. Only one backup can run at a time, because a running backup keeps the database
   * from cleaning up old row versions.
   */
  public Manifest write(OutputStream out, Contents contents) throws IOException {
    if (!backupPermit.tryAcquire()) {
      throw new IOException("another backup is in progress");
    }
    try {
      return write(new ArchiveWriter(out), contents);
    } finally {
      backupPermit.release();
    }
  }

  private Manifest write(ArchiveWriter archive, Contents contents) throws IOException {
    long now = clock.instant().toEpochMilli();
    Map<String, Long> rows = new LinkedHashMap<>();
    Manifest initialManifest =
        db.read(handle -> writeRows(handle.getConnection(), archive, now, rows));
    writeFiles(archive);
    TreeDump dump = new TreeDump(archive);
    Map<String, Manifest.Tree> trees = new LinkedHashMap<>();
    if (contents.logs()) {
      writeTrees(dump, LOG_DIRECTORIES, trees);
    }
    if (contents.homes()) {
      for (String name : USER_DIRECTORIES) {
        if (Files.isDirectory(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
          userFiles.makeReadable(directory.resolve(name));
        }
      }
      writeTrees(dump, USER_DIRECTORIES, trees);
    }
    return archive.finish(initialManifest, rows, trees, dump.skipped());
  }

  private Manifest writeRows(
      Connection connection, ArchiveWriter archive, long now, Map<String, Long> counts) {
    try {
      String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
      Manifest initialManifest =
          Manifest.initial(version, Schema.version(connection), now, product);
      archive.begin(initialManifest);
      for (Table table : Table.list(connection)) {
        if (table.name().equals(Table.LEASE)) {
          continue;
        }
        int[] pieceNumber = {0};
        long count =
            TableRows.write(
                connection,
                table,
                lines ->
                    archive.add(
                        "%s%s/%06d.jsonl".formatted(ROWS_PREFIX, table.name(), ++pieceNumber[0]),
                        lines,
                        now / 1000));
        counts.put(table.name(), count);
      }
      return initialManifest;
    } catch (SQLException e) {
      throw new IllegalStateException("failed to read the tables", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeFiles(ArchiveWriter archive) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.path())) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && PermittedEntries.FILES.contains(name)
            && Files.size(file) <= MAX_FILE_SIZE) {
          long modified = Files.getLastModifiedTime(file).toMillis() / 1000;
          archive.add(FILES_PREFIX + name, Files.readAllBytes(file), Math.max(0, modified));
        }
      }
    }
  }

  private void writeTrees(TreeDump dump, List<String> names, Map<String, Manifest.Tree> trees)
      throws IOException {
    for (String name : names) {
      trees.put(name, dump.write(directory.resolve(name), name));
    }
  }
}
