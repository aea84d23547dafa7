package dev.trainyard.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the latency of a user's requests while expensive requests of another user, or sign-ins
 * of unknown users, are pending. Client and server share the cores; the database is SQLite.
 */
final class FairnessBench implements Bench.Measurement {
  private static final int ROUNDS = 50;
  private static final int FILES = 100_000;
  private static final String PASSWORD = "a-good-password";

  private Path data;
  private BenchServer benchServer;
  private String loadToken;
  private String observerToken;

  @Override
  public void run(Path directory) throws Exception {
    data = directory.resolve("data");
    try (BenchServer started = BenchServer.start(data)) {
      benchServer = started;
      loadToken = createUser("alice");
      observerToken = createUser("bob");
      Table table = new Table("pending requests", "median", "worst", "limit of the worst");
      measure(table, "none (baseline)", List.of());
      measure(table, "10 searches in a log of 64 MB, 10 texts", searches());
      measure(table, "10 archives of a sparse file of 1 TiB", archives());
      measure(table, "250 sign-ins with unknown names", signIns());
      measure(table, "60 checks of a job file of 900 KB", checks());
      measure(table, "30 listings of a directory with 100,000 files", listings());
      measure(table, "2 deletions of jobs with 100,000 files each", deletions());
    }
  }

  private String createUser(String name) throws IOException {
    String user = "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    benchServer.call("POST", "/api/v3/users", user);
    String signIn = "{\"user\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    return benchServer.call("POST", "/api/v3/sessions", signIn).get("token").asText();
  }

  /**
   * Measures latencies while {@code requests} are pending; stops early when all of them have
   * completed.
   */
  private void measure(Table table, String label, List<HttpRequest> requests) throws Exception {
    try (HttpClient loadClient =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpClient observerClient =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpRequest jobs = buildRequest(observerToken, "GET", "/api/v3/jobs", "");
      HttpRequest health = buildRequest("", "GET", "/livez", "");
      observerClient.send(jobs, HttpResponse.BodyHandlers.discarding());
      List<CompletableFuture<?>> pending = new ArrayList<>();
      for (HttpRequest request : requests) {
        pending.add(loadClient.sendAsync(request, HttpResponse.BodyHandlers.discarding()));
      }
      List<Double> latencies = new ArrayList<>();
      boolean loadPending = true;
      for (int round = 0; round < ROUNDS && loadPending; round++) {
        for (HttpRequest request : List.of(health, jobs)) {
          long start = System.nanoTime();
          int status =
              observerClient.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
          latencies.add((System.nanoTime() - start) / 1e6);
          if (status != 200) {
            throw new IOException(request.uri() + " returned status " + status);
          }
        }
        loadPending = pending.isEmpty() || pending.stream().anyMatch(request -> !request.isDone());
      }
      loadClient.shutdownNow();
      Samples samples = new Samples(latencies.stream().mapToDouble(Double::doubleValue).toArray());
      table.row(label, samples.medianText(), Samples.format(samples.quantile(1)), "200 ms");
    }
  }

  private HttpRequest buildRequest(String token, String method, String path, String body) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(benchServer.uri(path))
            .timeout(Duration.ofMinutes(5))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return (token.isEmpty() ? builder : builder.header("Authorization", "Bearer " + token)).build();
  }

  private List<HttpRequest> repeat(int count, String method, String path, String body) {
    return IntStream.range(0, count)
        .mapToObj(_ -> buildRequest(loadToken, method, path, body))
        .toList();
  }

  /** Submits a job of alice that waits for devices; returns its ID. */
  private String submitJob(String name) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest submission =
          buildRequest(loadToken, "POST", "/api/v3/jobs", BenchServer.job(name, 99, "true"));
      String response = client.send(submission, HttpResponse.BodyHandlers.ofString()).body();
      return BenchServer.JSON.readTree(response).get("id").asText();
    }
  }

  private Path createOutputDirectory(String name) throws Exception {
    return Files.createDirectories(data.resolve("jobs").resolve(submitJob(name)).resolve("output"));
  }

  private static void createFiles(Path directory) throws IOException {
    for (int i = 0; i < FILES; i++) {
      Files.createFile(directory.resolve("file" + i));
    }
  }

  private List<HttpRequest> searches() throws Exception {
    Path log = data.resolve("logs").resolve(submitJob("log")).resolve("1/main/0/stdout");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "y".repeat(64 * 1024 * 1024));
    String query =
        IntStream.range(0, 10)
            .mapToObj(i -> "text=" + "y".repeat(199) + (char) ('A' + i % 24))
            .collect(Collectors.joining("&"));
    return repeat(10, "GET", "/api/v3/jobs/log/logs/main/0/stdout/matches?" + query, "");
  }

  private List<HttpRequest> archives() throws Exception {
    try (RandomAccessFile file =
        new RandomAccessFile(createOutputDirectory("archive").resolve("sparse").toString(), "rw")) {
      file.setLength(1L << 40);
    }
    return repeat(10, "GET", "/api/v3/jobs/archive/outputs/archive", "");
  }

  private List<HttpRequest> signIns() {
    return IntStream.range(0, 250)
        .mapToObj(i -> "{\"user\": \"nobody%d\", \"password\": \"%s\"}".formatted(i, PASSWORD))
        .map(body -> buildRequest("", "POST", "/api/v3/sessions", body))
        .toList();
  }

  private List<HttpRequest> checks() {
    String roles =
        IntStream.range(0, 8_000)
            .mapToObj(
                i ->
                    "{\"name\": \"role%d\", \"memoryMB\": 256, \"command\": \"echo %s\"}"
                        .formatted(i, "x".repeat(50)))
            .collect(Collectors.joining(","));
    String file = "{\"jobName\": \"check\", \"image\": \"none\", \"taskRoles\": [" + roles + "]}";
    return repeat(60, "POST", "/api/v3/jobs/check", file);
  }

  private List<HttpRequest> listings() throws Exception {
    createFiles(createOutputDirectory("listing"));
    return repeat(30, "GET", "/api/v3/jobs/listing/outputs?limit=1000", "");
  }

  private List<HttpRequest> deletions() throws Exception {
    List<HttpRequest> deletions = new ArrayList<>();
    for (String name : List.of("deleted1", "deleted2")) {
      createFiles(createOutputDirectory(name));
      try (HttpClient client = HttpClient.newHttpClient()) {
        HttpRequest stop = buildRequest(loadToken, "POST", "/api/v3/jobs/" + name + "/stop", "");
        client.send(stop, HttpResponse.BodyHandlers.discarding());
      }
      deletions.add(buildRequest(loadToken, "DELETE", "/api/v3/jobs/" + name, ""));
    }
    return deletions;
  }
}
