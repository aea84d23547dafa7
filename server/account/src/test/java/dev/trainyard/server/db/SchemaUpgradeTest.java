package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.UserService;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens databases created by older versions. The stored old databases are never changed. */
class SchemaUpgradeTest {
  private static final String LOCAL_TOKEN = "the local token is ";
  @TempDir private Path directory;

  private static String script(String name) throws IOException {
    try (InputStream in = SchemaUpgradeTest.class.getResourceAsStream("/upgrade/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void run(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Test
  void open_sqliteOfVersion2_keepsAllRows() throws Exception {
    Path file = directory.resolve("trainyard.db");
    String script = script("v2/sqlite.sql");
    run("jdbc:sqlite:" + file, script);
    try (Db db = Databases.open("", directory)) {
      check(db, script);
    }
    Path copy = directory.resolve("trainyard.db.before-v" + Schema.NEWEST);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-------");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
        Statement statement = connection.createStatement()) {
      assertThat(Schema.version(connection)).isEqualTo(2);
      assertThat(statement.executeQuery("select count(*) from job").getInt(1)).isEqualTo(5);
    }
    Databases.open("", directory).close();
    assertThat(copy).exists();
  }

  @Test
  void open_newDatabase_needsNoCopy() throws Exception {
    Databases.open("", directory).close();
    try (var files = Files.list(directory)) {
      assertThat(files.filter(file -> file.toString().contains("before"))).isEmpty();
    }
  }

  @Test
  void open_postgresOfVersion2_keepsAllRows() throws Exception {
    String url = PostgresServer.running().createEmptyDatabase();
    String script = script("v2/postgresql.sql");
    run(url, script);
    try (Db db = Databases.open(url, directory)) {
      check(db, script);
    }
  }

  private static void check(Db db, String script) {
    assertThat(db.<Integer>read(handle -> Schema.version(handle.getConnection())))
        .isEqualTo(Schema.NEWEST);
    Map<String, String> states =
        db.read(
            handle ->
                handle
                    .createQuery("select name, state from job")
                    .map((rows, _) -> Map.entry(rows.getString(1), rows.getString(2)))
                    .stream()
                    .collect(
                        java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    assertThat(states)
        .isEqualTo(
            Map.of(
                "done", "SUCCEEDED",
                "failed", "FAILED",
                "running", "RUNNING",
                "waiting", "WAITING",
                "stopped", "STOPPED"));
    var clock = new MutableClock();
    TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
    UserService users = new UserService(db, tokens, new Passwords(), UnfinishedJobs.NONE, clock);
    assertThat(users.find("admin").orElseThrow().admin()).isTrue();
    assertThat(users.find("alice").orElseThrow().admin()).isFalse();
    String secret =
        script
            .lines()
            .filter(line -> line.contains(LOCAL_TOKEN))
            .map(line -> line.substring(line.indexOf(LOCAL_TOKEN) + LOCAL_TOKEN.length()))
            .findFirst()
            .orElseThrow();
    assertThat(tokens.callerOf(secret).orElseThrow().userName()).isEqualTo("admin");
    assertThat(db.<Integer>read(handle -> count(handle, "task"))).isEqualTo(4);
    assertThat(
            db.<Integer>read(
                handle ->
                    count(
                        handle,
                        "job join job_config on job_id = id where state in ('WAITING', 'RUNNING')"
                            + " and file_bytes = octet_length(spec) and octet_length(spec) >"
                            + " octet_length(raw)")))
        .isEqualTo(2);
    assertThat(db.<Integer>read(handle -> count(handle, "attempt"))).isEqualTo(3);
    assertThat(
            db.<String>read(
                handle ->
                    handle
                        .createQuery(
                            "select raw from job_config join job on id = job_id"
                                + " where name = 'stopped'")
                        .mapTo(String.class)
                        .one()))
        .contains("训练 'quoted'");
  }

  private static int count(org.jdbi.v3.core.Handle handle, String table) {
    return handle.createQuery("select count(*) from " + table).mapTo(Integer.class).one();
  }

  @Test
  void open_newerThanTheProgram_rejected() throws Exception {
    for (TestDatabase database : List.of(TestDatabase.SQLITE, TestDatabase.POSTGRESQL)) {
      String url = database.createUrl();
      try (Db db = database.reopen(url)) {
        db.write(
            handle ->
                handle.execute(
                    "update flyway_schema_history set version = '999' where version = '2'"));
      }
      assertThatThrownBy(() -> database.reopen(url))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("newer version of Trainyard")
          .hasMessageContaining("999");
    }
  }
}
