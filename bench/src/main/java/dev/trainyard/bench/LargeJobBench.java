package dev.trainyard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Submits, shows, pages through, stops and deletes a job of 10,000 tasks on both databases. */
final class LargeJobBench implements Bench.Measurement {
  private static final int TASKS = 10_000;
  private static final int ROUNDS = 20;
  private static final int PAGE_SIZE = 500;

  @Override
  public void run(Path directory) throws Exception {
    DatabaseTable table = new DatabaseTable("operation");
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
    String[] ids = new String[ROUNDS + 1];
    try (BenchServer benchServer = BenchServer.start(data, options)) {
      int[] index = {0};
      Samples submit = Samples.of(1, ROUNDS, () -> ids[index[0]] = submit(benchServer, index[0]++));
      row(table, "accept", database, submit);
      Samples waiting = Samples.of(20, 100, () -> checkDetails(benchServer, ids[0], 0));
      row(table, "detail, waiting", database, waiting);
      index[0] = 0;
      Samples stop = Samples.of(1, ROUNDS, () -> stop(benchServer, ids[index[0]++]));
      row(table, "stop, waiting", database, stop);
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      // Stores finished tasks in the database, because the host cannot run 10,000 tasks at once.
      storeFinishedTasks(connection, ids);
    }
    try (BenchServer benchServer = BenchServer.start(data, options)) {
      row(
          table,
          "detail",
          database,
          Samples.of(20, 100, () -> checkDetails(benchServer, ids[0], PAGE_SIZE)));
      row(
          table,
          "a page of 500 tasks",
          database,
          Samples.of(20, 100, () -> readPage(benchServer, ids[0])));
      Samples allPages = Samples.of(2, 10, () -> readAllPages(benchServer, ids[0]));
      table.add("all 20 pages", database, allPages, "");
      int[] index = {0};
      Samples delete = Samples.of(1, ROUNDS, () -> delete(benchServer, ids[index[0]++]));
      row(table, "delete", database, delete);
    }
  }

  private static void row(DatabaseTable table, String label, String database, Samples samples) {
    table.add(label, database, samples, "100 ms");
  }

  private static String submit(BenchServer benchServer, int number) throws IOException {
    String jobFile =
        """
        {"jobName": "large-%d", "image": "none", "taskRoles": [
          {"name": "ps", "taskNumber": 100, "memoryMB": 1000, "command": "true"},
          {"name": "worker", "taskNumber": %d, "memoryMB": 1000, "command": "true"}]}
        """
            .formatted(number, TASKS - 100);
    return benchServer.call("POST", "/api/v3/jobs", jobFile).path("id").asText();
  }

  private static void checkDetails(BenchServer benchServer, String id, int tasks)
      throws IOException {
    JsonNode job = benchServer.call("GET", "/api/v3/jobs/" + id, "");
    if (job.path("taskCount").asInt() != TASKS || job.path("tasks").size() != tasks) {
      throw new IOException(
          "expected %d tasks, %d of them in the response, got %d and %d"
              .formatted(TASKS, tasks, job.path("taskCount").asInt(), job.path("tasks").size()));
    }
  }

  private static int readPage(BenchServer benchServer, String id) throws IOException {
    return readPage(benchServer, id, TASKS / 2).path("tasks").size();
  }

  private static JsonNode readPage(BenchServer benchServer, String id, int offset)
      throws IOException {
    String query = "?limit=" + PAGE_SIZE + "&offset=" + offset;
    return benchServer.call("GET", "/api/v3/jobs/" + id + "/tasks" + query, "");
  }

  private static void readAllPages(BenchServer benchServer, String id) throws IOException {
    int taskCount = 0;
    for (int offset = 0; offset < TASKS; offset += PAGE_SIZE) {
      taskCount += readPage(benchServer, id, offset).path("tasks").size();
    }
    if (taskCount != TASKS) {
      throw new IOException("expected " + TASKS + " tasks, got " + taskCount);
    }
  }

  private static void stop(BenchServer benchServer, String id) throws IOException {
    benchServer.call("POST", "/api/v3/jobs/" + id + "/stop", "");
  }

  private static void delete(BenchServer benchServer, String id) throws IOException {
    if (benchServer.open("DELETE", "/api/v3/jobs/" + id, "").getResponseCode() != 204) {
      throw new IOException("failed to delete the job " + id);
    }
  }

  private static void storeFinishedTasks(Connection connection, String[] ids) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        PreparedStatement attempt =
            connection.prepareStatement(
                """
                insert into attempt (job_id, number, cause, created, started, ended, succeeded) \
                values (?, 1, 'FIRST', 1, 1, 2, 1)\
                """);
        PreparedStatement task =
            connection.prepareStatement(
                """
                insert into task (job_id, attempt, role, task_index, state, node, devices, ports, \
                address, started, ended, end_order, exit_code, exit_reason, detail) \
                values (?, 1, ?, ?, 'ENDED', 'box', '0,1', ?, ?, 1, 2, ?, 0, 'SUCCEEDED', '')\
                """)) {
      for (String id : ids) {
        attempt.setString(1, id);
        attempt.execute();
        for (int i = 0; i < TASKS; i++) {
          task.setString(1, id);
          task.setString(2, i < 100 ? "ps" : "worker");
          task.setInt(3, i < 100 ? i : i - 100);
          task.setString(4, "ssh:" + (20_000 + 2 * i) + ";http:" + (20_001 + 2 * i));
          task.setString(5, "127.1." + i / 256 + "." + i % 256);
          task.setInt(6, i + 1);
          task.addBatch();
        }
        task.executeBatch();
        connection.commit();
      }
      statement.execute("update job set attempt = 1, state = 'SUCCEEDED'");
      statement.execute("analyze");
      connection.commit();
    }
  }
}
