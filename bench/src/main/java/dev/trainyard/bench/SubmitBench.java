package dev.trainyard.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures durable submissions over HTTP. Client and server share the cores; the database is
 * SQLite.
 */
final class SubmitBench implements Bench.Measurement {
  private static final int CLIENTS = 64;
  private static final int WARM_UP = 10_000;
  private static final int JOBS = 20_000;

  @Override
  public void run(Path directory) throws Exception {
    double baseline = measureBaseline(directory.resolve("baseline.db"));
    try (BenchServer benchServer = BenchServer.start(directory.resolve("data"))) {
      submit(benchServer, "warm", WARM_UP);
      double[] latencies = new double[JOBS];
      long start = System.nanoTime();
      submit(benchServer, "job", JOBS, latencies);
      double rate = JOBS / ((System.nanoTime() - start) / 1e9);
      Samples samples = new Samples(latencies);
      Table table = new Table("measurement", "per second", "median", "p99", "limit");
      table.row(
          "SQLite, one commit per insert, one thread (baseline)", formatRate(baseline), "", "", "");
      table.row(
          "POST /api/v3/jobs, " + CLIENTS + " clients",
          formatRate(rate),
          samples.medianText(),
          Samples.format(samples.quantile(0.99)),
          "2000");
    }
  }

  private static String formatRate(double rate) {
    return String.format(Locale.ROOT, "%.0f", rate);
  }

  private static void submit(BenchServer benchServer, String name, int jobs) throws Exception {
    submit(benchServer, name, jobs, new double[jobs]);
  }

  private static void submit(BenchServer benchServer, String name, int jobs, double[] latencies)
      throws Exception {
    String token = benchServer.token();
    AtomicInteger nextJob = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        futures.add(
            threads.submit(
                () -> {
                  int number = nextJob.getAndIncrement();
                  while (number < jobs) {
                    // A job with 99 devices never starts, so only the submission is measured.
                    String file = BenchServer.job(name + "-" + number, 99, "true");
                    long start = System.nanoTime();
                    send(client, benchServer, token, file);
                    latencies[number] = (System.nanoTime() - start) / 1e6;
                    number = nextJob.getAndIncrement();
                  }
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        join(future);
      }
    }
  }

  private static void join(Future<?> future) throws Exception {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw new IOException("a client failed", e.getCause());
    }
  }

  private static void send(HttpClient client, BenchServer benchServer, String token, String file)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(benchServer.uri("/api/v3/jobs"))
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(file))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 201) {
      throw new IOException("status " + response.statusCode() + ": " + response.body());
    }
  }

  private static double measureBaseline(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("pragma journal_mode=wal");
      statement.execute("pragma synchronous=full");
      statement.execute("create table job (id integer primary key, text text)");
      int rows = 1_000;
      long start = System.nanoTime();
      try (PreparedStatement insert =
          connection.prepareStatement("insert into job (text) values (?)")) {
        for (int i = 0; i < rows; i++) {
          insert.setString(1, "x".repeat(500));
          insert.executeUpdate();
        }
      }
      return rows / ((System.nanoTime() - start) / 1e9);
    }
  }
}
