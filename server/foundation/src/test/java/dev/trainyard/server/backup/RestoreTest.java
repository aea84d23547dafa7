package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.ServerLock;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.config.UserFiles;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.db.Lease;
import dev.trainyard.server.db.Table;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Backups of each database, restored into each. */
@EveryDatabase
@Execution(ExecutionMode.CONCURRENT)
class RestoreTest {
  @TempDir private Path directory;
  private final Db db;

  RestoreTest(Db db) {
    this.db = db;
  }

  private void fill() {
    db.write(
        handle -> {
          handle.execute(
              "insert into users (id, name, name_key, password, admin, disabled, id_range, created)"
                  + " values ('u1', 'alice', 'alice', 'hash', 1, 0, 7, 123)");
          handle.execute(
              "insert into token (id, user_id, hash, kind, created, expires, last_used)"
                  + " values ('t1', 'u1', 'h', 'session', 1, null, 2)");
          for (int i = 0; i < 1_200; i++) {
            handle.execute(
                "insert into job (id, version, user_id, user_name, name, state, format, image,"
                    + " virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted)"
                    + " values (?, 9223372036854775807, 'u1', 'alice', ?, 'SUCCEEDED', 'f', '训练',"
                    + " 'default', 1, 1, 0, 1, 1, 1)",
                "job" + i,
                "name" + i);
            handle.execute(
                "insert into job_config (job_id, raw, spec, warnings) values (?, ?, '{}', '[]')",
                "job" + i,
                "line one\n'quoted' \\ \"two\" \t 你好 " + "x".repeat(5_000));
            handle.execute(
                "insert into event (job_id, user_id, happened, type, warning, attempt, code,"
                    + " params) values (?, 'u1', 5, 'SUBMITTED', 0, 0, 'event.submitted',"
                    + " '{\"user\":\"alice\"}')",
                "job" + i);
          }
          return null;
        });
  }

  private Path backup() throws IOException {
    Path data = directory.resolve("source");
    if (!Files.exists(data)) {
      Files.createDirectories(data.resolve("logs/J/1/main/0"));
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
      Files.writeString(data.resolve("logs/J/1/main/0/stdout"), "printed");
      Files.writeString(data.resolve("admin-password"), "secret\n");
      Files.writeString(data.resolve("job-token-key"), "key\n");
      Files.writeString(data.resolve("local-token"), "token\n");
      Files.writeString(data.resolve("server.log"), "log\n");
      Files.createDirectories(data.resolve("home/alice"));
      Files.writeString(data.resolve("home/alice/model"), "weights");
    }
    Path file = directory.resolve("backup.tar.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      new Backup(db, DataDirectory.open(data), new UserFiles(), "1.0", new MutableClock())
          .write(out, new Backup.Contents(true, true));
    }
    return file;
  }

  private static Settings settings(Path data, String url) {
    return SettingsReader.read(Map.of("data", data.toString(), "db", url), Map.of());
  }

  private static Map<String, List<String>> rows(Db db) {
    return db.read(
        handle -> {
          Map<String, List<String>> all = new HashMap<>();
          try {
            for (Table table : Table.list(handle.getConnection())) {
              List<String> lines = new ArrayList<>();
              TableRows.write(
                  handle.getConnection(),
                  table,
                  piece ->
                      new String(piece, java.nio.charset.StandardCharsets.UTF_8)
                          .lines()
                          .forEach(lines::add));
              all.put(table.name(), lines.stream().distinct().sorted().toList());
            }
          } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
          }
          return all;
        });
  }

  @Test
  void run_intoEachDatabase_restoresEveryRow() throws IOException {
    fill();
    Path file = backup();
    Map<String, List<String>> before = rows(db);
    assertThat(before.get("job")).hasSize(1_201);
    Path data = directory.resolve("sqlite");
    Manifest manifest = new Restore(settings(data, ""), file).run();
    assertThat(manifest.tables()).containsEntry("job", 1_200L).containsEntry("users", 1L);
    try (Db restored = Databases.open("", data)) {
      assertThat(rows(restored)).isEqualTo(before);
    }
    String url = TestDatabase.POSTGRESQL.createUrl();
    Path other = directory.resolve("postgres");
    new Restore(settings(other, url), file).run();
    try (Db restored = Databases.open(url, other)) {
      assertThat(rows(restored)).isEqualTo(before);
    }
    assertThat(other.resolve("trainyard.db")).doesNotExist();
  }

  @Test
  void run_restoresTheFilesOfAServer() throws IOException {
    fill();
    Path data = directory.resolve("data");
    new Restore(settings(data, ""), backup()).run();
    assertThat(data.resolve("admin-password")).hasContent("secret");
    assertThat(data.resolve("job-token-key")).doesNotExist();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(data.resolve("admin-password"))))
        .isEqualTo("rw-------");
    assertThat(data.resolve("logs/J/1/main/0/stdout")).hasContent("printed");
    assertThat(data.resolve("home/alice/model")).hasContent("weights");
    assertThat(data.resolve("local-token")).doesNotExist();
    assertThat(data.resolve("server.log")).doesNotExist();
    assertThat(data.resolve("restoring")).doesNotExist();
  }

  @Test
  void run_settingsOfAnotherDatabase_keptWithTheChosenDatabase() throws IOException {
    fill();
    backup();
    Path conf = directory.resolve("source/trainyard.conf");
    Files.writeString(conf, "keep-jobs = 90d\ndb = jdbc:postgresql://elsewhere/db\nhost = ::1\n");
    Path moved = directory.resolve("moved");
    new Restore(settings(moved, ""), backup()).run();
    assertThat(moved.resolve("trainyard.conf")).hasContent("keep-jobs = 90d\nhost = ::1\n");
    assertThat(moved.resolve("trainyard.conf.restored")).doesNotExist();
    Path chosen = directory.resolve("chosen");
    String url = TestDatabase.POSTGRESQL.createUrl();
    new Restore(settings(chosen, url), backup()).run();
    assertThat(chosen.resolve("trainyard.conf"))
        .hasContent("keep-jobs = 90d\nhost = ::1\ndb = " + url + "\n");
    Files.writeString(conf, "port = 1234\n");
    Path same = directory.resolve("same");
    new Restore(settings(same, ""), backup()).run();
    assertThat(same.resolve("trainyard.conf")).hasContent("port = 1234");
  }

  @Test
  void run_databaseOfTheBackup_isFilledAndStaysInTheSettings() throws IOException {
    fill();
    backup();
    String url = TestDatabase.POSTGRESQL.createUrl();
    Files.writeString(
        directory.resolve("source/trainyard.conf"), "keep-jobs = 90d\ndb = " + url + "\n");
    Path file = backup();
    Path data = directory.resolve("samedb");
    Map<String, String> chosen = new HashMap<>();
    chosen.put("db", Restore.databaseOf(file).orElseThrow().url());
    chosen.put("data", data.toString());
    new Restore(SettingsReader.read(chosen, Map.of()), file).run();
    try (Db restored = Databases.open(url, data)) {
      assertThat(rows(restored)).isEqualTo(rows(db));
    }
    assertThat(data.resolve("trainyard.db")).doesNotExist();
    assertThat(data.resolve("trainyard.conf")).hasContent("keep-jobs = 90d\ndb = " + url + "\n");
    // The database is not empty any more.
    Path secondData = directory.resolve("again");
    chosen.put("data", secondData.toString());
    Settings second = SettingsReader.read(chosen, Map.of());
    assertThatThrownBy(() -> new Restore(second, file).run()).isInstanceOf(AppException.class);
  }

  @Test
  void run_passwordFileInTheBackup_isReplacedByTheChosenOne() throws IOException {
    backup();
    String url = TestDatabase.POSTGRESQL.createUrl();
    Files.writeString(
        directory.resolve("source/trainyard.conf"),
        "db = " + url + "\ndb-password-file = /root/.ssh/id_rsa\n");
    Path file = backup();
    Path password =
        Files.createFile(
            directory.resolve("password"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(password, "p");
    Path data = directory.resolve("data");
    Map<String, String> chosen =
        Map.of(
            "data", data.toString(),
            "db", Restore.databaseOf(file).orElseThrow().url(),
            "db-password-file", password.toString());
    new Restore(SettingsReader.read(chosen, Map.of()), file).run();
    assertThat(data.resolve("trainyard.conf"))
        .hasContent("db = " + url + "\ndb-password-file = " + password + "\n");
  }

  @Test
  void run_noDatabaseChosenAndSettingsNameOne_stopsAndNamesTheOptions() throws IOException {
    fill();
    backup();
    Files.writeString(
        directory.resolve("source/trainyard.conf"),
        "db = jdbc:postgresql://elsewhere/db?user=u&password=hidden\n");
    Path file = backup();
    Path data = directory.resolve("unchosen");
    Settings settings = SettingsReader.read(Map.of("data", data.toString()), Map.of());
    assertThatThrownBy(() -> new Restore(settings, file).run())
        .isInstanceOf(AppException.class)
        .hasMessageContaining("jdbc:postgresql://elsewhere/db", "--same-db", "--db URL")
        .hasMessageNotContaining("hidden");
    assertThat(data.resolve("trainyard.db")).doesNotExist();
    assertThat(Restore.databaseOf(file))
        .contains(new BackupDatabase("jdbc:postgresql://elsewhere/db?user=u&password=hidden"));
  }

  /** The server would start with the default settings, for example without TLS. */
  @Test
  void run_unusableSettings_rejectedWithoutChanges() throws IOException {
    backup();
    Path conf = directory.resolve("source/trainyard.conf");
    for (String text :
        List.of(
            "tls-cert = /etc/cert\nkeep-jobs = \\u00\n",
            "tls-cert = /etc/cert\ndb = jdbc:postgresql://\\\n  h/d?user=u\n")) {
      Files.writeString(conf, text);
      Path file = backup();
      Path data = directory.resolve("unusable");
      assertThatThrownBy(() -> new Restore(settings(data, ""), file).run())
          .isInstanceOf(AppException.class)
          .hasMessageContainingAll(
              data.resolve("trainyard.conf").toString(),
              "tar -xzOf " + file + " files/trainyard.conf");
      assertThat(data).doesNotExist();
    }
    // The remedy of the message.
    Path data = Files.createDirectory(directory.resolve("prepared"));
    Files.writeString(data.resolve("trainyard.conf"), "keep-jobs = 90d\n");
    new Restore(settings(data, ""), backup()).run();
    assertThat(data.resolve("trainyard.conf")).hasContent("keep-jobs = 90d");
    assertThat(data.resolve("trainyard.conf.restored")).doesNotExist();
    assertThat(data.resolve("trainyard.db")).exists();
  }

  /** The server would start on an empty SQLite database. */
  @Test
  void run_keptSettingsNameAnotherDatabase_rejectedWithoutChanges() throws IOException {
    Path file = backup();
    Path data = Files.createDirectory(directory.resolve("own"));
    Path conf = Files.writeString(data.resolve("trainyard.conf"), "keep-jobs = 90d\n");
    String url = TestDatabase.POSTGRESQL.createUrl();
    assertThatThrownBy(() -> new Restore(settings(data, url), file).run())
        .isInstanceOf(AppException.class)
        .hasMessageContainingAll(conf.toString(), "db = jdbc:postgresql:", "move the file away");
    try (Stream<Path> parts = Files.list(data)) {
      assertThat(parts).containsExactly(conf);
    }
    Files.writeString(conf, "keep-jobs = 90d\ndb = " + url + "\n");
    assertThatThrownBy(() -> new Restore(settings(data, ""), file).run())
        .hasMessageContaining("db = ");
    new Restore(settings(data, url), file).run();
    assertThat(conf).hasContent("keep-jobs = 90d\ndb = " + url + "\n");
  }

  @Test
  void run_directoryInUse_rejectedWithoutChanges() throws IOException {
    fill();
    Path file = backup();
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("trainyard.db"), "precious");
    assertThatThrownBy(() -> new Restore(settings(data, ""), file).run())
        .isInstanceOf(AppException.class)
        .hasMessageContaining("is not empty (it contains trainyard.db");
    assertThat(data.resolve("trainyard.db")).hasContent("precious");
    Path running = directory.resolve("running");
    try (ServerLock lock = ServerLock.acquire(DataDirectory.open(running))) {
      lock.announce("http://127.0.0.1:1");
      assertThatThrownBy(() -> new Restore(settings(running, ""), file).run())
          .isInstanceOf(AppException.class)
          .hasMessageContaining("a server is already running");
    }
  }

  @Test
  void run_directoryOfOtherFiles_rejectedWithoutChanges() throws IOException {
    fill();
    Path file = backup();
    DataDirectory other = DataDirectory.open(directory.resolve("other"));
    Files.createDirectory(other.resolve("restoring"));
    Files.writeString(other.resolve("restoring/letter"), "dear reader");
    assertThatThrownBy(() -> new Restore(settings(other.path(), ""), file).run())
        .isInstanceOf(AppException.class)
        .hasMessageContaining("contains other files (restoring)");
    assertThat(names(other)).containsExactly("restoring");
    assertThat(other.resolve("restoring/letter")).hasContent("dear reader");
  }

  @Test
  void run_databaseInUse_rejectedWithoutChanges(TestDatabase database) throws IOException {
    fill();
    Path file = backup();
    String url = database.createUrl();
    try (Db used = Databases.open(url, directory)) {
      used.write(
          handle -> handle.execute("insert into job_owner (user_id, user_name) values ('x', 'y')"));
    }
    assertThatThrownBy(() -> new Restore(settings(directory.resolve("data"), url), file).run())
        .isInstanceOf(AppException.class)
        .hasMessageContaining("the database is not empty");
    try (Db used = Databases.open(url, directory)) {
      assertThat(rows(used).get("job_owner")).hasSize(2);
    }
  }

  @Test
  void run_serverLeadsTheDatabase_rejectedWithItsName() throws IOException {
    Path file = backup();
    String url = TestDatabase.POSTGRESQL.createUrl();
    Lease.Claim claim = new Lease.Claim("process 1 on host", "id", "host 1:1", "boot");
    try (Lease lease = Lease.acquire(url, claim, new Lease.Origin(true, ""))) {
      assertThatThrownBy(() -> new Restore(settings(directory.resolve("data"), url), file).run())
          .isInstanceOf(AppException.class)
          .hasMessageContaining("this database has a leader: process 1 on host");
      assertThat(lease.isHeld()).isTrue();
    }
    new Restore(settings(directory.resolve("data"), url), file).run();
  }

  @Test
  void run_damagedFile_changesNothing() throws IOException {
    fill();
    byte[] completeBackup = Files.readAllBytes(backup());
    Path cut =
        Files.write(
            directory.resolve("cut"),
            java.util.Arrays.copyOf(completeBackup, completeBackup.length / 2));
    Path data = directory.resolve("data");
    assertThatThrownBy(() -> new Restore(settings(data, ""), cut).run())
        .isInstanceOf(AppException.class)
        .hasMessageContaining("Nothing was changed");
    assertThat(data).doesNotExist();
  }

  @Test
  void settle_interruptedBeforeComplete_rolledBack() throws IOException {
    DataDirectory data = DataDirectory.open(directory.resolve("data"));
    Files.createDirectories(data.resolve("restoring/home"));
    Files.writeString(data.resolve("restoring/trainyard.db"), "half");
    PendingRestore.completeOrRollBack(data, () -> true);
    assertThat(names(data)).isEmpty();
  }

  @Test
  void settle_interruptedWhileMoving_completed() throws IOException {
    DataDirectory data = DataDirectory.open(directory.resolve("data"));
    Files.createDirectories(data.resolve("home/alice"));
    Files.createDirectories(data.resolve("restoring/logs"));
    Files.writeString(data.resolve("restoring/trainyard.db"), "whole");
    Files.writeString(data.resolve("restoring/complete"), PendingRestore.ALL_STAGED);
    PendingRestore.completeOrRollBack(data, () -> false);
    assertThat(names(data)).containsExactly("home", "logs", "trainyard.db");
  }

  @Test
  void settle_interruptedAroundTheCommit_followsTheDatabase() throws IOException {
    for (boolean committed : new boolean[] {true, false}) {
      DataDirectory data = DataDirectory.open(directory.resolve("data" + committed));
      Files.createDirectories(data.resolve("restoring/home"));
      Files.writeString(data.resolve("restoring/complete"), PendingRestore.IF_COMMITTED);
      PendingRestore.completeOrRollBack(data, () -> committed);
      assertThat(names(data)).isEqualTo(committed ? List.of("home") : List.of());
    }
  }

  private static List<String> names(DataDirectory data) throws IOException {
    try (Stream<Path> files = Files.list(data.path())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
