package dev.trainyard.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures the time from the first submission until 1,000 jobs that run {@code true} have finished,
 * and compares it with the time of Slurm on the same host. Both declare 64 CPUs.
 */
final class ThroughputBench implements Bench.Measurement {
  static final int JOBS = 1_000;
  static final int SUBMITTERS = 8;
  private static final int ROUNDS = 3;
  private static final int WARM_UP = 200;

  /** Submits the job with a given number. */
  interface Submission {
    void submit(int number) throws Exception;
  }

  @Override
  public void run(Path directory) throws Exception {
    Table table = new Table("measurement", "jobs/s", "last submission after", "sandbox", "limit");
    try (BenchServer benchServer =
        BenchServer.start(directory.resolve("data"), "--capacity", "cpu=64,memoryMB=65536")) {
      runJobs(benchServer, "warm", WARM_UP);
      for (int round = 1; round <= ROUNDS; round++) {
        Result result = runJobs(benchServer, "round" + round, JOBS);
        result.row(table, "Trainyard, run " + round, "complete", "100");
      }
    }
    for (Slurm.Variant variant : Slurm.Variant.values()) {
      try (Slurm slurm = Slurm.start(directory.resolve(variant.name()), variant)) {
        slurm.run(20);
        slurm.run(JOBS).row(table, variant.label(), "none", "");
      } catch (Slurm.UnavailableException e) {
        table.row(variant.label(), "not measured: " + e.getMessage(), "", "", "");
      }
    }
  }

  /**
   * Seconds from the first submission until all jobs were submitted, and until all jobs had
   * finished.
   */
  record Result(int jobs, double submissionSeconds, double totalSeconds) {
    void row(Table table, String label, String sandbox, String limit) {
      table.row(
          label,
          String.format(Locale.ROOT, "%.0f", jobs / totalSeconds),
          String.format(Locale.ROOT, "%.1f s", submissionSeconds),
          sandbox,
          limit);
    }
  }

  static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static Result runJobs(BenchServer benchServer, String name, int jobs) throws Exception {
    String token = benchServer.token();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      long start = System.nanoTime();
      submitConcurrently(
          jobs,
          number -> {
            HttpRequest request =
                HttpRequest.newBuilder(benchServer.uri("/api/v3/jobs"))
                    .header("Authorization", "Bearer " + token)
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            BenchServer.job(name + "-" + number, 0, "true")))
                    .build();
            HttpResponse<String> response =
                client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 201) {
              throw new IOException("status " + response.statusCode() + ": " + response.body());
            }
          });
      double submissionSeconds = secondsSince(start);
      awaitEnd(benchServer);
      Result result = new Result(jobs, submissionSeconds, secondsSince(start));
      requireSuccess(benchServer, name, jobs);
      return result;
    }
  }

  private static void awaitEnd(BenchServer benchServer) throws IOException, InterruptedException {
    String unfinished = "/api/v3/jobs?limit=1&state=WAITING,PREPARING,RUNNING,STOPPING";
    while (!benchServer.call("GET", unfinished, "").get("jobs").isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /**
   * Fails unless all jobs succeeded, because jobs that fail early would make the result look
   * better.
   */
  private static void requireSuccess(BenchServer benchServer, String name, int jobs)
      throws IOException {
    int succeeded = 0;
    String page = "/api/v3/jobs?limit=500&state=SUCCEEDED&name=" + name + "-";
    String cursor = "";
    do {
      var response = benchServer.call("GET", page + cursor, "");
      succeeded += response.get("jobs").size();
      cursor = response.has("next") ? "&after=" + response.get("next").asText() : "";
    } while (!cursor.isEmpty());
    if (succeeded != jobs) {
      throw new IOException(succeeded + " of " + jobs + " jobs succeeded");
    }
  }

  /** Submits the jobs with the numbers 0 to {@code jobs - 1} from several threads. */
  static void submitConcurrently(int jobs, Submission submission) throws Exception {
    AtomicInteger nextJob = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < SUBMITTERS; i++) {
        running.add(
            threads.submit(
                () -> {
                  int number = nextJob.getAndIncrement();
                  while (number < jobs) {
                    submission.submit(number);
                    number = nextJob.getAndIncrement();
                  }
                  return null;
                }));
      }
      for (Future<?> future : running) {
        join(future);
      }
    }
  }

  private static void join(Future<?> future) throws Exception {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw new IOException("a submitter failed", e.getCause());
    }
  }
}
