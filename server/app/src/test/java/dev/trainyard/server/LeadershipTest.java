package dev.trainyard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.db.TestDatabase;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks which servers may use a database, depending on their data directories. */
class LeadershipTest {
  @TempDir Path directory;

  private Server start(String data, String... extraSettings) {
    Map<String, String> options = new HashMap<>();
    options.put("data", directory.resolve(data).toString());
    options.put("port", "0");
    for (int i = 0; i < extraSettings.length; i += 2) {
      options.put(extraSettings[i], extraSettings[i + 1]);
    }
    return Server.start(SettingsReader.read(options, Map.of()), Optional.empty(), List.of());
  }

  private void assertRejected(String code, String data, String... extraSettings) {
    assertThatThrownBy(() -> start(data, extraSettings).close())
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo(code));
  }

  private String sqlite(String file) {
    return "jdbc:sqlite:" + directory.resolve(file);
  }

  @Test
  void start_sqliteFileOfAnotherServer_rejectedWithItsName() throws Exception {
    Files.createSymbolicLink(directory.resolve("link.db"), directory.resolve("shared.db"));
    try (Server first = start("a", "db", sqlite("shared.db"))) {
      assertThatThrownBy(() -> start("b", "db", sqlite("shared.db")).close())
          .isInstanceOf(AppException.class)
          .hasMessageContaining("another server uses the database")
          .hasMessageContaining(directory.toRealPath().resolve("a").toString())
          .hasMessageContaining(first.url().toString());
      assertRejected("config.db-in-use", "b", "db", sqlite("link.db"));
    }
    start("b", "db", sqlite("link.db")).close();
  }

  @Test
  void start_sqliteFileInTheDirectoryOfAnotherServer_rejected() {
    try (Server first = start("a")) {
      assertThat(first.url()).isNotNull();
      assertRejected("config.db-in-use", "b", "db", sqlite("a/trainyard.db"));
    }
    start("a").close();
    start("b", "db", sqlite("a/trainyard.db")).close();
  }

  @Test
  void start_sqliteFileWithoutTables_rejectedInAUsedDirectoryOnly() throws Exception {
    start("a").close();
    for (String name : List.of("trainyard.db", "trainyard.db-wal", "trainyard.db-shm")) {
      Files.deleteIfExists(directory.resolve("a").resolve(name));
    }
    Files.createDirectory(directory.resolve("new"));
    for (String data : List.of("a", "new")) {
      try (Connection connection = DriverManager.getConnection(sqlite(data + "/trainyard.db"));
          Statement statement = connection.createStatement()) {
        statement.execute("pragma user_version = 1");
      }
    }
    assertRejected("config.db-not-here", "a");
    start("new").close();
  }

  @Test
  void start_directoryOfOtherFiles_rejectedWithoutChanges() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other"));
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(other.resolve("lock"), "of a person\n");
    Path letter = other.resolve("restoring/letter");
    Files.createDirectory(letter.getParent());
    Files.writeString(letter, "dear reader");
    assertRejected("config.data-other-files", "other");
    try (Stream<Path> files = Files.list(other)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("lock", "restoring");
    }
    assertThat(other.resolve("lock")).hasContent("of a person\n");
    assertThat(letter).hasContent("dear reader");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
        .isEqualTo("rwxr-xr-x");
  }

  private static void execute(String url, String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void start_tasksOfAnotherDirectoryMayRun_rejectedUntilAdopted() throws Exception {
    String url = TestDatabase.POSTGRESQL.createUrl();
    start("a", "db", url).close();
    execute(
        url,
        "set session_replication_role = replica;"
            + " insert into attempt (job_id, number, created) values ('job', 1, 1)");
    assertRejected("config.other-directory", "b", "db", url);
    assertThat(directory.resolve("b/installation")).doesNotExist();
    start("a", "db", url, "adopt-database", "true").close();
    start("a", "db", url).close();

    start("b", "db", url, "adopt-database", "true").close();
    assertRejected("config.other-installation", "a", "db", url);
    assertRejected("config.other-installation", "a", "db", url, "adopt-database", "true");
    start("b", "db", url).close();
  }

  @Test
  void start_sqliteTasksOfAnotherDirectoryMayRun_rejectedUntilAdopted() throws Exception {
    String attempt = "insert into attempt (job_id, number, created) values ('job', 1, 1)";
    String url = sqlite("shared.db");
    start("a", "db", url).close();
    start("b", "db", url).close();
    execute(url, attempt);
    assertRejected("config.other-directory", "a", "db", url);
    start("b", "db", url).close();
    start("a", "db", url, "adopt-database", "true").close();
    start("a", "db", url).close();
    assertRejected("config.other-directory", "b", "db", url);

    start("c").close();
    execute(sqlite("c/trainyard.db"), attempt);
    assertRejected("config.other-directory", "a", "db", sqlite("c/trainyard.db"));
    Files.move(directory.resolve("c"), directory.resolve("moved"));
    start("moved").close();
  }

  @Test
  void healthz_postgresIsReadOnly_fails() throws Exception {
    String url = TestDatabase.POSTGRESQL.createUrl();
    String setting =
        "alter database %s set default_transaction_read_only = "
            .formatted(url.replaceAll(".*/([^?]*).*", "$1"));
    try (Server server = start("a", "db", url)) {
      assertThat(health(server)).isEqualTo(200);
      execute(url, setting + "on");
      execute(
          url,
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where datname = current_database() and pid <> pg_backend_pid()");
      awaitReadOnly(server, url);
      execute(url, "begin read write; " + setting + "off; commit");
    }
  }

  /**
   * Waits until reads succeed on the read-only database; the server must be unhealthy nevertheless.
   */
  private static void awaitReadOnly(Server server, String url) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    int failures = 0;
    while (failures < 30) {
      failures = health(server) == 503 ? failures + 1 : 0;
      execute(url, "select pg_sleep(0.2)");
      assertThat(System.nanoTime()).isLessThan(end);
    }
  }

  private static int health(Server server) throws Exception {
    var request = (HttpURLConnection) server.url().resolve("/healthz").toURL().openConnection();
    request.setReadTimeout(20_000);
    return request.getResponseCode();
  }
}
