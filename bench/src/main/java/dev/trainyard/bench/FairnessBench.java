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
 * Latency of a user's requests while expensive requests of another user or anonymous sign-ins are
 * pending. Client and server share the cores; the database is SQLite.
 */
final class FairnessBench implements Bench.Measurement {
  private static final int ROUNDS = 50;
  private static final int FILES = 100_000;
  private static final String PASSWORD = "a-good-password";

  private Path data;
  private BenchServer benchServer;
  private String alice;
  private String bob;

  @Override
  public void run(Path directory) throws Exception {
    data = directory.resolve("data");
    try (BenchServer started = BenchServer.start(data)) {
      benchServer = started;
      alice = user("alice");
      bob = user("bob");
      Table table = new Table("pending requests", "median", "worst", "limit of the worst");
      measure(table, "none (baseline)", List.of());
      measure(table, "10 searches in a log of 64 MB, 30 texts", searches());
      measure(table, "10 archives of a sparse file of 1 TiB", archives());
      measure(table, "250 sign-ins with unknown names", signIns());
      measure(table, "60 checks of a job file of 900 KB", checks());
      measure(table, "30 listings of a directory with 100,000 files", listings());
      measure(table, "2 deletions of jobs with 100,000 files each", deletions());
    }
  }

  private String user(String name) throws IOException {
    String user = "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    benchServer.call("POST", "/api/v3/users", user);
    String signIn = "{\"user\": \"%s\", \"password\": \"%s\"}".formatted(name, PASSWORD);
    return benchServer.call("POST", "/api/v3/sessions", signIn).get("token").asText();
  }

  /** Stops early when no request of the load is pending. */
  private void measure(Table table, String label, List<HttpRequest> requests) throws Exception {
    try (HttpClient load = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpClient others = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpRequest jobs = request(bob, "GET", "/api/v3/jobs", "");
      HttpRequest health = request("", "GET", "/livez", "");
      others.send(jobs, HttpResponse.BodyHandlers.discarding());
      List<CompletableFuture<?>> pending = new ArrayList<>();
      for (HttpRequest one : requests) {
        pending.add(load.sendAsync(one, HttpResponse.BodyHandlers.discarding()));
      }
      List<Double> latencies = new ArrayList<>();
      boolean some = true;
      for (int round = 0; round < ROUNDS && some; round++) {
        for (HttpRequest one : List.of(health, jobs)) {
          long start = System.nanoTime();
          int status = others.send(one, HttpResponse.BodyHandlers.discarding()).statusCode();
          latencies.add((System.nanoTime() - start) / 1e6);
          if (status != 200) {
            throw new IOException(one.uri() + " returned status " + status);
          }
        }
        some = pending.isEmpty() || pending.stream().anyMatch(one -> !one.isDone());
      }
      load.shutdownNow();
      Samples samples = new Samples(latencies.stream().mapToDouble(Double::doubleValue).toArray());
      table.row(label, samples.medianText(), Samples.text(samples.quantile(1)), "200 ms");
    }
  }

  private HttpRequest request(String token, String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(benchServer.uri(path))
            .timeout(Duration.ofMinutes(5))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return (token.isEmpty() ? request : request.header("Authorization", "Bearer " + token)).build();
  }

  private List<HttpRequest> times(int count, String method, String path, String body) {
    return IntStream.range(0, count).mapToObj(_ -> request(alice, method, path, body)).toList();
  }

  /** Submits a job of alice that waits for devices; returns its ID. */
  private String job(String name) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest submission =
          request(alice, "POST", "/api/v3/jobs", BenchServer.job(name, 99, "true"));
      String answer = client.send(submission, HttpResponse.BodyHandlers.ofString()).body();
      return BenchServer.JSON.readTree(answer).get("id").asText();
    }
  }

  private Path outputs(String name) throws Exception {
    return Files.createDirectories(data.resolve("jobs").resolve(job(name)).resolve("output"));
  }

  private static void fill(Path directory) throws IOException {
    for (int i = 0; i < FILES; i++) {
      Files.createFile(directory.resolve("file" + i));
    }
  }

  private List<HttpRequest> searches() throws Exception {
    Path log = data.resolve("logs").resolve(job("log")).resolve("1/main/0/stdout");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "y".repeat(64 * 1024 * 1024));
    String texts =
        IntStream.range(0, 10)
            .mapToObj(i -> "text=" + "y".repeat(199) + (char) ('A' + i % 24))
            .collect(Collectors.joining("&"));
    return times(10, "GET", "/api/v3/jobs/log/logs/main/0/stdout/matches?" + texts, "");
  }

  private List<HttpRequest> archives() throws Exception {
    try (RandomAccessFile sparse =
        new RandomAccessFile(outputs("archive").resolve("sparse").toString(), "rw")) {
      sparse.setLength(1L << 40);
    }
    return times(10, "GET", "/api/v3/jobs/archive/outputs/archive", "");
  }

  private List<HttpRequest> signIns() {
    return IntStream.range(0, 250)
        .mapToObj(i -> "{\"user\": \"nobody%d\", \"password\": \"%s\"}".formatted(i, PASSWORD))
        .map(body -> request("", "POST", "/api/v3/sessions", body))
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
    return times(60, "POST", "/api/v3/jobs/check", file);
  }

  private List<HttpRequest> listings() throws Exception {
    fill(outputs("listing"));
    return times(30, "GET", "/api/v3/jobs/listing/outputs?limit=1000", "");
  }

  private List<HttpRequest> deletions() throws Exception {
    List<HttpRequest> deletions = new ArrayList<>();
    for (String name : List.of("deleted1", "deleted2")) {
      fill(outputs(name));
      try (HttpClient client = HttpClient.newHttpClient()) {
        HttpRequest stop = request(alice, "POST", "/api/v3/jobs/" + name + "/stop", "");
        client.send(stop, HttpResponse.BodyHandlers.discarding());
      }
      deletions.add(request(alice, "DELETE", "/api/v3/jobs/" + name, ""));
    }
    return deletions;
  }
}
