package dev.trainyard.bench;

import dev.trainyard.model.Ulid;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Measures complete requests for the first page of a million jobs on both databases. */
final class ListBench implements Bench.Measurement {
  private static final int JOBS = 1_000_000;
  private static final int USERS = 50;
  private static final String[] STATES = {"SUCCEEDED", "FAILED", "STOPPED"};

  @Override
  public void run(Path directory) throws Exception {
    DatabaseTable table = new DatabaseTable("query");
    Path sqlite = directory.resolve("sqlite");
    measure(table, DatabaseTable.SQLITE, sqlite, "jdbc:sqlite:" + sqlite.resolve("trainyard.db"));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
      String url = postgres.getJdbcUrl("postgres", "postgres");
      measure(table, DatabaseTable.POSTGRESQL, directory.resolve("postgres"), url, "--db", url);
    }
    table.print();
  }

  private static void measure(
      DatabaseTable table, String database, Path data, String url, String... options)
      throws Exception {
    BenchServer.start(data, options).close();
    try (Connection connection = DriverManager.getConnection(url)) {
      insertJobs(connection, JOBS);
    }
    try (BenchServer benchServer = BenchServer.start(data, options)) {
      String[] queries = {
        "",
        "?user=user7",
        "?state=FAILED",
        "?state=RUNNING,WAITING",
        "?user=user7&state=STOPPED",
        "?name=train-5",
      };
      for (String query : queries) {
        Samples samples = Samples.of(20, 100, () -> list(benchServer, query));
        String name = query.isEmpty() ? "`/api/v3/jobs`" : "`" + query + "`";
        table.add(name, database, samples, "50 ms");
      }
    }
  }

  private static void list(BenchServer benchServer, String query) throws IOException {
    if (!benchServer.call("GET", "/api/v3/jobs" + query, "").has("jobs")) {
      throw new IOException("the response contains no list of jobs");
    }
  }

  static void insertJobs(Connection connection, int jobs) throws SQLException {
    // One job per second gives a history of eleven days.
    AtomicLong clock = new AtomicLong(1_750_000_000_000L);
    Ulid ids = new Ulid(() -> Instant.ofEpochMilli(clock.addAndGet(1_000)));
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                insert into job (id, version, user_id, user_name, name, state, format, image, \
                virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted, \
                started, ended, exit_code, search) \
                values (?, 3, ?, ?, ?, ?, 'openpai-v1', 'ubuntu:16.04', 'default', 4, 8192, 1, 1, \
                1, ?, ?, ?, 0, ?)\
                """)) {
      for (int user = 0; user < USERS; user++) {
        statement.execute(
            "insert into job_owner (user_id, user_name) values ('u%d', 'user%d')"
                .formatted(user, user));
      }
      for (int i = 0; i < jobs; i++) {
        insert.setString(1, ids.next());
        insert.setString(2, "u" + i % USERS);
        insert.setString(3, "user" + i % USERS);
        insert.setString(4, "train-" + i);
        insert.setString(5, STATES[i % 7 % STATES.length]);
        insert.setLong(6, clock.get());
        insert.setLong(7, clock.get());
        insert.setLong(8, clock.get());
        insert.setString(9, "user%d/train-%d/default".formatted(i % USERS, i));
        insert.addBatch();
        if (i % 10_000 == 9_999) {
          insert.executeBatch();
          connection.commit();
        }
      }
      connection.commit();
      statement.execute("analyze");
      connection.commit();
    }
  }
}
