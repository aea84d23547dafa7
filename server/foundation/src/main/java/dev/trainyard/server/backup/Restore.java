package dev.trainyard.server.backup;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.DatabasePassword;
import dev.trainyard.server.config.ForeignDirectoryCheck;
import dev.trainyard.server.config.ServerLock;
import dev.trainyard.server.config.Setting;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.EmptyDatabase;
import dev.trainyard.server.db.RestoreLock;
import dev.trainyard.server.db.Schema;
import dev.trainyard.server.db.Table;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Restores a backup into an empty data directory and an empty database. */
public final class Restore {
  private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
  private static final String DATABASE = "trainyard.db";
  private static final String SETTINGS = "trainyard.conf";
  private static final int OLDEST_SCHEMA = 1;

  /** Files that an empty data directory may contain. */
  private static final Pattern ALLOWED_FILES =
      Pattern.compile(
          "lock|start\\.lock|trainyard\\.db\\.lock|trainyard\\.conf|server\\.log.*|lost\\+found"
              + "|secret-keys");

  private final Settings settings;
  private final ArchiveReader archive;

  public Restore(Settings settings, Path file) {
    this.settings = settings;
    this.archive = new ArchiveReader(file);
  }

  /**
   * Runs the restore. Nothing is changed unless the whole backup is intact. If a step fails, the
   * restored data is removed again.
   */
  public Manifest run() {
    byte[][] conf = {new byte[0]};
    Manifest manifest =
        archive.read(
            (entry, content) -> {
              if (entry.name().equals(Backup.FILES_PREFIX + SETTINGS)) {
                conf[0] = content.readAll();
              }
            });
    if (manifest.schema() < OLDEST_SCHEMA) {
      throw archive.damaged("unknown schema version " + manifest.schema());
    }
    if (manifest.schema() > Schema.NEWEST) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.backup-newer", "version", manifest.version()));
    }
    RestoredSettings restored = RestoredSettings.parse(conf[0]);
    requireChosenDatabase(manifest, restored);
    requireUsableSettings(restored);
    DataDirectory directory = DataDirectory.open(settings.value(Settings.DATA));
    ForeignDirectoryCheck.require(directory, settings);
    try (ServerLock lock = ServerLock.acquire(directory)) {
      lock.announce("restore");
      String url = settings.value(Settings.DB);
      PendingRestore.completeOrRollBack(directory, () -> isFilled(url));
      requireEmpty(directory);
      directory.makePrivate();
      if (url.isEmpty()) {
        restoreIntoDirectory(directory, manifest);
      } else {
        restoreIntoDatabase(directory, url, manifest);
      }
      return manifest;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the database that is set in the settings file of a backup; empty if none is set. */
  public static Optional<BackupDatabase> databaseOf(Path file) {
    byte[][] conf = {new byte[0]};
    new ArchiveReader(file)
        .read(
            (entry, content) -> {
              if (entry.name().equals(Backup.FILES_PREFIX + SETTINGS)) {
                conf[0] = content.readAll();
              }
            });
    String url =
        RestoredSettings.parse(conf[0]).databaseSettings().getOrDefault(Settings.DB.name(), "");
    return url.isEmpty() ? Optional.empty() : Optional.of(new BackupDatabase(url));
  }

  /**
   * Rejects a restore into the default database if the backup was made from another database,
   * because the server would start with a database that the administrator did not choose.
   */
  private void requireChosenDatabase(Manifest manifest, RestoredSettings restored) {
    if (settings.rawValue(Settings.DB).source() != Settings.Source.DEFAULT) {
      return;
    }
    String url = restored.databaseSettings().getOrDefault(Settings.DB.name(), "");
    if (!url.isEmpty()) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("error.restore-other-database", "url", DatabasePassword.mask(url)));
    }
    if ("postgresql".equals(manifest.database())) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.restore-from-postgresql"));
    }
  }

  /**
   * Rejects a restore after which the server would start with the default settings, or with a
   * database other than the restored one.
   */
  private void requireUsableSettings(RestoredSettings restored) {
    Path kept = settings.value(Settings.DATA).resolve(SETTINGS);
    if (Files.exists(kept)) {
      requireSameDatabase(kept);
      return;
    }
    if (restored.withDatabase(settings.rawValue(Settings.DB).text(), passwordFile()).isEmpty()) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("error.restore-settings", "file", kept.toString())
              .with("backup", archive.file().toString())
              .with("entry", Backup.FILES_PREFIX + SETTINGS));
    }
  }

  /**
   * Rejects a restore if the existing settings file, which is kept, selects a database other than
   * the one that the options select.
   */
  private void requireSameDatabase(Path kept) {
    Map<String, String> stored;
    try {
      stored = RestoredSettings.parse(Files.readAllBytes(kept)).databaseSettings();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Setting<?> setting : List.of(Settings.DB, Settings.DB_PASSWORD_FILE)) {
      Settings.RawValue chosen = settings.rawValue(setting);
      boolean isStored = chosen.text().strip().equals(stored.getOrDefault(setting.name(), ""));
      if (chosen.source() == Settings.Source.OPTION && !isStored) {
        throw new AppException(
            ErrorCode.CONFLICT,
            Message.of("error.restore-kept-settings", "file", kept.toString())
                .with("name", setting.name())
                .with("value", DatabasePassword.mask(chosen.text().strip())));
      }
    }
  }

  /** Returns whether the database of this URL contains restored rows. */
  public static boolean isFilled(String url) {
    return !url.isEmpty() && database(url).isFilled();
  }

  private static EmptyDatabase database(String url) {
    return Databases.file(url)
        .map(EmptyDatabase::sqlite)
        .orElseGet(() -> EmptyDatabase.postgres(url));
  }

  private static void requireEmpty(DataDirectory directory) throws IOException {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory.path())) {
      for (Path part : parts) {
        String name = part.getFileName().toString();
        if (!ALLOWED_FILES.matcher(name).matches() && !isEmptyDirectory(part)) {
          throw new AppException(
              ErrorCode.CONFLICT,
              Message.of("error.restore-directory", "path", directory.path().toString())
                  .with("found", name));
        }
      }
    }
  }

  private static boolean isEmptyDirectory(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> children = Files.list(path)) {
      return children.findAny().isEmpty();
    }
  }

  private void restoreIntoDirectory(DataDirectory directory, Manifest manifest) throws IOException {
    PendingRestore pending = new PendingRestore(directory);
    Path staging = pending.begin();
    try {
      Path file = staging.resolve(DATABASE);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      EmptyDatabase.sqlite(file).fill(manifest.schema(), loader(staging, manifest), () -> {});
      EmptyDatabase.checkpoint(file);
      pending.complete(PendingRestore.ALL_STAGED);
    } catch (IOException | RuntimeException e) {
      pending.discard();
      throw e;
    }
    pending.moveIntoPlace();
  }

  private void restoreIntoDatabase(DataDirectory directory, String url, Manifest manifest)
      throws IOException {
    if (Databases.isPostgres(url)) {
      try (var _ = RestoreLock.acquireExclusive(url)) {
        fillDatabase(directory, url, manifest);
      }
    } else {
      Optional<ServerLock> lock =
          Databases.realFile(url, directory.path()).map(ServerLock::lockDatabase);
      try {
        lock.ifPresent(held -> held.announce(directory, "restore"));
        fillDatabase(directory, url, manifest);
      } finally {
        lock.ifPresent(ServerLock::close);
      }
    }
  }

  private void fillDatabase(DataDirectory directory, String url, Manifest manifest)
      throws IOException {
    EmptyDatabase database = database(url);
    if (!database.isFree()) {
      throw new AppException(ErrorCode.CONFLICT, Message.of("error.restore-database"));
    }
    PendingRestore pending = new PendingRestore(directory);
    Path staging = pending.begin();
    try {
      database.fill(manifest.schema(), loader(staging, manifest), () -> markComplete(pending));
    } catch (IOException | RuntimeException e) {
      if (!database.isFilled()) {
        pending.discard();
      }
      throw e;
    }
    pending.moveIntoPlace();
  }

  private static void markComplete(PendingRestore pending) {
    try {
      pending.complete(PendingRestore.IF_COMMITTED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EmptyDatabase.Loader loader(Path staging, Manifest manifest) {
    return (connection, tables) -> {
      boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
      TreeLoad trees = new TreeLoad(staging, isRoot);
      RowLoader rowLoader = new RowLoader(connection, tables);
      boolean[] hasSettings = {false};
      archive.read(
          (entry, content) -> {
            hasSettings[0] |= entry.name().equals(Backup.FILES_PREFIX + SETTINGS);
            if (entry.name().startsWith(Backup.ROWS_PREFIX)) {
              rowLoader.load(entry.name(), content.readAll());
            } else if (entry.name().startsWith(Backup.FILES_PREFIX)) {
              restoreFile(entry, content, trees);
            } else {
              PermittedEntries.requireTreeEntry(entry);
              trees.write(entry, content);
            }
          });
      if (!hasSettings[0]) {
        writeDatabaseSettings(trees, manifest);
      }
      trees.finish();
      rowLoader.requireCounts(manifest.tables());
    };
  }

  /**
   * Restores a file of the server. Files that are not backed up are skipped, because older backups
   * contain every small file of the data directory.
   */
  private void restoreFile(ArchiveEntry entry, ArchiveReader.Content content, TreeLoad trees)
      throws IOException {
    String name = entry.name().substring(Backup.FILES_PREFIX.length());
    if (!PermittedEntries.FILES.contains(name)) {
      LOG.warn("skipped {} in the backup: not a file to restore", name);
      return;
    }
    byte[] bytes = content.readAll();
    if (name.equals(SETTINGS)) {
      Optional<byte[]> restored =
          RestoredSettings.parse(bytes)
              .withDatabase(settings.rawValue(Settings.DB).text(), passwordFile());
      if (restored.isEmpty()) {
        return; // the existing settings file is kept, see requireUsableSettings
      }
      bytes = restored.get();
    }
    write(trees, name, bytes, entry.modified());
  }

  /** Stores the chosen database, so that the server can be started without repeating the option. */
  private void writeDatabaseSettings(TreeLoad trees, Manifest manifest) throws IOException {
    byte[] bytes =
        RestoredSettings.parse(new byte[0])
            .withDatabase(settings.rawValue(Settings.DB).text(), passwordFile())
            .orElseThrow();
    if (bytes.length > 0) {
      write(trees, SETTINGS, bytes, manifest.created() / 1000);
    }
  }

  private String passwordFile() {
    return settings.rawValue(Settings.DB_PASSWORD_FILE).text();
  }

  private static void write(TreeLoad trees, String name, byte[] bytes, long modified)
      throws IOException {
    trees.write(
        ArchiveEntry.ofServer(name, bytes.length, modified), new ByteArrayInputStream(bytes)::read);
  }

  /** Loads rows into the tables and counts them. */
  private static final class RowLoader {
    private final Connection connection;
    private final Map<String, Table> tables = new HashMap<>();
    private final Map<String, Long> counts = new HashMap<>();

    RowLoader(Connection connection, List<Table> tables) {
      this.connection = connection;
      tables.stream()
          .filter(table -> !table.name().equals(Table.LEASE))
          .forEach(table -> this.tables.put(table.name(), table));
    }

    void load(String entry, byte[] lines) throws IOException {
      String name = entry.split("/", -1)[1];
      Table table = tables.get(name);
      if (table == null) {
        throw new IOException("unknown table " + name);
      }
      try {
        counts.merge(name, TableRows.load(connection, table, lines), Long::sum);
      } catch (SQLException e) {
        throw new IOException("failed to load the table " + name + ": " + e.getMessage(), e);
      }
    }

    void requireCounts(Map<String, Long> expectedCounts) throws IOException {
      Set<String> names = new TreeSet<>(new HashSet<>(expectedCounts.keySet()));
      names.addAll(tables.keySet());
      List<String> mismatched = new ArrayList<>();
      for (String name : names) {
        if (!expectedCounts.getOrDefault(name, -1L).equals(counts.getOrDefault(name, -1L))) {
          mismatched.add(name);
        }
      }
      if (!mismatched.isEmpty()) {
        throw new IOException(
            "the number of rows differs from the manifest in these tables: " + mismatched);
      }
    }
  }
}
