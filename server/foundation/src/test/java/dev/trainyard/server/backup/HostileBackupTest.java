package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.config.UserFiles;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Schema;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Well-formed backups whose author wants to take over the server. */
@Execution(ExecutionMode.CONCURRENT)
class HostileBackupTest {
  private static final String LEASE_ROW =
      "{\"id\":1,\"holder\":\"x\",\"installation\":\"x\",\"directory\":\"x\",\"epoch\":1,"
          + "\"expires_at\":1}\n";

  @TempDir private static Path genuineDirectory;
  private static Path genuine;

  @TempDir private Path directory;
  private Path outside;

  @BeforeAll
  static void writeGenuineBackup() throws IOException {
    genuine = genuineDirectory.resolve("genuine.tar.gz");
    Path source = genuineDirectory.resolve("source");
    DataDirectory data = DataDirectory.open(source);
    Files.writeString(source.resolve("job-token-key"), "key of running jobs\n");
    try (Db db = Databases.open("", source);
        OutputStream out = Files.newOutputStream(genuine)) {
      new Backup(db, data, new UserFiles(), "1.0", new MutableClock())
          .write(out, new Backup.Contents(false, false));
    }
  }

  @BeforeEach
  void createOutsideDirectory() throws IOException {
    outside = Files.createDirectory(directory.resolve("outside"));
  }

  /** Copies the genuine backup with another version of its tables and more entries. */
  private Path copyGenuineBackup(int schema, ArchiveEntry... added) throws IOException {
    Path file = directory.resolve("changed.tar.gz");
    Manifest genuineManifest = new ArchiveReader(genuine).verify();
    try (OutputStream out = Files.newOutputStream(file)) {
      ArchiveWriter writer = new ArchiveWriter(out);
      Manifest manifest = Manifest.initial("1.0", schema, 0, "sqlite");
      writer.begin(manifest);
      new ArchiveReader(genuine)
          .read((entry, content) -> writer.add(entry.name(), content.readAll(), 0));
      for (ArchiveEntry entry : added) {
        if (entry.name().startsWith(Backup.ROWS_PREFIX)) {
          writer.add(entry.name(), LEASE_ROW.getBytes(StandardCharsets.US_ASCII), 0);
        } else if (entry.name().startsWith(Backup.FILES_PREFIX)) {
          writer.add(entry.name(), "planted".getBytes(StandardCharsets.US_ASCII), 0);
        } else {
          writer.add(entry);
        }
      }
      writer.finish(manifest, genuineManifest.tables(), Map.of(), 0);
    }
    return file;
  }

  private Path restore(Path backup) {
    Path data = directory.resolve("data");
    Settings settings = SettingsReader.read(Map.of("data", data.toString()), Map.of());
    new Restore(settings, backup).run();
    return data;
  }

  private static ArchiveEntry entry(String name, ArchiveEntry.Kind kind, String target) {
    return new ArchiveEntry(name, kind, 0755, 0, 0, 0, 0, target);
  }

  /** Returns the directories above a name, as a backup contains them. */
  private static List<ArchiveEntry> parentEntries(String name) {
    return Stream.iterate(name.indexOf('/'), at -> at >= 0, at -> name.indexOf('/', at + 1))
        .map(at -> entry(name.substring(0, at), ArchiveEntry.Kind.DIRECTORY, ""))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "home",
        "gshare",
        "logs",
        "jobs",
        "storages",
        "home/alice",
        "jobs/01J",
        "jobs/01J/output",
        "logs/01J",
        "logs/01J/1",
        "logs/01J/1/main/0/stdout",
        "storages/users",
        "storages/users/alice",
        "storages/users/alice/disk",
        "storages/shared/disk",
        "restoring",
        "tasks",
        "bin"
      })
  void run_linkInPlaceOfServersDirectory_rejected(String name) throws IOException {
    ArchiveEntry link = entry(name, ArchiveEntry.Kind.LINK, outside.toString());
    ArchiveEntry[] added =
        Stream.concat(parentEntries(name).stream(), Stream.of(link)).toArray(ArchiveEntry[]::new);
    Path backup = copyGenuineBackup(Schema.NEWEST, added);
    assertThatThrownBy(() -> restore(backup))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("is not a valid backup: ");
    assertThat(directory.resolve("data/trainyard.db")).doesNotExist();
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void run_fileInPlaceOfHome_rejected() throws IOException {
    Path backup =
        copyGenuineBackup(
            Schema.NEWEST,
            entry("home", ArchiveEntry.Kind.DIRECTORY, ""),
            entry("home/alice", ArchiveEntry.Kind.FILE, ""));
    assertThatThrownBy(() -> restore(backup)).hasMessageContaining("home/alice is not a directory");
  }

  @Test
  void run_linkCreatedByUser_isRestored() throws IOException {
    Path backup =
        copyGenuineBackup(
            Schema.NEWEST,
            entry("home", ArchiveEntry.Kind.DIRECTORY, ""),
            entry("home/alice", ArchiveEntry.Kind.DIRECTORY, ""),
            entry("home/alice/link", ArchiveEntry.Kind.LINK, "/anywhere"),
            entry("gshare", ArchiveEntry.Kind.DIRECTORY, ""),
            entry("gshare/link", ArchiveEntry.Kind.LINK, "/anywhere"));
    assertThat(restore(backup).resolve("home/alice/link")).isSymbolicLink();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "restoring",
        "bin",
        "local-token",
        "job-token-key",
        "server.json",
        "trainyard.db-wal"
      })
  void run_fileThatIsNotPermitted_skipped(String name) throws IOException {
    Path backup =
        copyGenuineBackup(
            Schema.NEWEST, entry(Backup.FILES_PREFIX + name, ArchiveEntry.Kind.FILE, ""));
    Path restored = restore(backup).resolve(name);
    assertThat(Files.exists(restored) && Files.readString(restored).equals("planted")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void run_unknownSchema_singleErrorMessage(int schema) throws IOException {
    Path backup = copyGenuineBackup(schema);
    assertThatThrownBy(() -> restore(backup))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("unknown schema version " + schema)
        .hasMessageContaining("Nothing was changed");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void write_keyOfJobTokens_omitted() throws IOException {
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    new ArchiveReader(genuine)
        .read((entry, content) -> names.writeBytes(entry.name().getBytes(StandardCharsets.UTF_8)));
    assertThat(names.toString(StandardCharsets.UTF_8)).doesNotContain("job-token-key");
  }

  @ParameterizedTest
  @CsvSource({
    "users, name, ../../evil",
    "users, name, ..",
    "users, name, al/ice",
    "users, name, 'alice\n'",
    "deleted_user, name, ../../evil",
    "newcomer, name, ../../evil",
    "team_group, name, ../evil",
    "virtual_cluster, name, ../evil",
    "storage, name, ../../evil",
    "job_storage, storage, ../../evil"
  })
  void run_invalidName_rejected(String table, String column, String name) throws IOException {
    Path file = backupWithRow(table, List.of(column), List.of(name));
    assertThatThrownBy(() -> restore(file))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("the table " + table + " contains the invalid name " + name);
    assertThat(directory.resolve("data/trainyard.db")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "users",
        "deleted_user",
        "newcomer",
        "team_group",
        "virtual_cluster",
        "storage",
      })
  void run_keyOfAnotherName_rejected(String table) throws IOException {
    Path file = backupWithRow(table, List.of("name_key", "name"), List.of("admin", "Mallory"));
    assertThatThrownBy(() -> restore(file))
        .isInstanceOf(AppException.class)
        .hasMessageContaining(
            "the table " + table + " contains an invalid key for the name Mallory");
    assertThat(directory.resolve("data/trainyard.db")).doesNotExist();
  }

  /** Returns a backup in which a table has only this row. */
  private Path backupWithRow(String table, List<String> columns, List<String> values)
      throws IOException {
    Path file = directory.resolve("changed.tar.gz");
    Manifest genuineManifest = new ArchiveReader(genuine).verify();
    String rows =
        Json.MAPPER.writeValueAsString(columns)
            + "\n"
            + Json.MAPPER.writeValueAsString(values)
            + "\n";
    try (OutputStream out = Files.newOutputStream(file)) {
      ArchiveWriter writer = new ArchiveWriter(out);
      Manifest manifest = Manifest.initial("1.0", Schema.NEWEST, 0, "sqlite");
      writer.begin(manifest);
      new ArchiveReader(genuine)
          .read(
              (entry, content) -> {
                boolean replaced = entry.name().startsWith(Backup.ROWS_PREFIX + table + "/");
                byte[] bytes = content.readAll();
                writer.add(
                    entry.name(), replaced ? rows.getBytes(StandardCharsets.UTF_8) : bytes, 0);
              });
      writer.finish(manifest, genuineManifest.tables(), Map.of(), 0);
    }
    return file;
  }

  @Test
  void restore_rowsOfTheLease_rejected() throws Exception {
    Path backup =
        copyGenuineBackup(
            Schema.NEWEST,
            entry(Backup.ROWS_PREFIX + "server_lease/000001.jsonl", ArchiveEntry.Kind.FILE, ""));
    assertThatThrownBy(() -> restore(backup)).hasStackTraceContaining("unknown table server_lease");
  }
}
