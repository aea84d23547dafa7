package dev.trainyard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Searches among 100,000 jobs with various sort orders and a total count. Measures complete
 * requests to the last byte of the response, without the time that the client needs to parse it.
 */
final class SearchBench implements Bench.Measurement {
  private static final int JOBS = 100_000;

  private static final String[] QUERIES = {
    "/api/v2/jobs",
    "/api/v2/jobs?limit=20&withTotalCount=true",
    "/api/v2/jobs?limit=20&offset=90000&withTotalCount=true",
    "/api/v2/jobs?limit=20&withTotalCount=true&username=user7",
    "/api/v2/jobs?limit=20&withTotalCount=true&state=FAILED",
    "/api/v2/jobs?limit=20&withTotalCount=true&keyword=train-99999",
    "/api/v2/jobs?limit=20&withTotalCount=true&keyword=train&order=jobName,ASC",
    "/api/v2/jobs?limit=20&withTotalCount=true&keyword=train-9&order=jobName,ASC",
    "/api/v2/jobs?limit=20&withTotalCount=true&order=totalGpuNumber,DESC",
    "/api/v2/jobs?limit=20&withTotalCount=true&order=completionTime,DESC",
    "/api/v2/jobs?limit=20&withTotalCount=true&order=jobPriority,ASC",
    "/api/v2/jobs?limit=20&withTotalCount=true&tagsNotContain=bad",
    "/api/v3/jobs?limit=20&total=true&keyword=user7&sort=-ended",
    "/api/v3/jobs?limit=20&total=true&scope=team",
    "/api/v3/jobs?limit=20&total=true&scope=team&keyword=train-9&sort=name",
  };

  /** The usage of the two weeks in which all jobs ran. */
  private static final String USAGE = "/api/v3/usage?since=2025-06-15&until=2025-06-29";

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
      ListBench.insertJobs(connection, JOBS);
      shareJobs(connection);
      insertDeletedJobs(connection);
    }
    try (BenchServer benchServer = BenchServer.start(data, options)) {
      for (String query : QUERIES) {
        requireList(benchServer.call("GET", query, ""));
        row(table, database, benchServer, query, "100 ms");
      }
      row(table, database, benchServer, USAGE, "");
    }
  }

  private static void row(
      DatabaseTable table, String database, BenchServer benchServer, String query, String limit)
      throws Exception {
    Samples samples = Samples.of(20, 100, () -> benchServer.read("GET", query, ""));
    table.add("`" + query + "`", database, samples, limit);
  }

  /** Stores the usage of 100,000 deleted jobs. Each job used one device for one hour. */
  private static void insertDeletedJobs(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into past_run (job_id, user_id, user_name, virtual_cluster, cpus, node, devices,"
              + " started, ended) select id, user_id, user_name, virtual_cluster, cpus, 'gone',"
              + " '0', started, started + 3600000 from job");
    }
    connection.commit();
  }

  /** Adds the administrator and ten of the fifty users to a group whose members share jobs. */
  private static void shareJobs(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into team_group (name, name_key, description, external_name, admin, limits,"
              + " shares_jobs) values ('lab', 'lab', '', '', 0, '{}', 1)");
      statement.execute(
          "insert into group_member (group_name, user_id) select 'lab', id from users");
      for (int user = 0; user < 10; user++) {
        statement.execute(
            "insert into users (id, name, name_key, password, admin, disabled, id_range,"
                + " created) values ('u%1$d', 'user%1$d', 'user%1$d', '', 0, 0, 1000 + %1$d, 0)"
                    .formatted(user));
        statement.execute(
            "insert into group_member (group_name, user_id) values ('lab', 'u%d')".formatted(user));
      }
    }
    connection.commit();
  }

  private static void requireList(JsonNode response) throws IOException {
    if (!response.isArray() && !response.has("data") && !response.has("jobs")) {
      throw new IOException("the response contains no list of jobs");
    }
  }
}
