package dev.trainyard.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Measures the time from a submission to the first byte of the log on a server that has already run
 * jobs.
 */
final class FirstLineBench implements Bench.Measurement {
  private static final int RUNS = 100;
  private int jobNumber;

  @Override
  public void run(Path directory) throws Exception {
    Samples baseline = Samples.of(10, RUNS, FirstLineBench::runWithUnshare);
    try (BenchServer benchServer = BenchServer.start(directory.resolve("data"))) {
      Samples trainyard = Samples.of(30, RUNS, () -> submitAndRead(benchServer));
      Table table = new Table("measurement", "median", "p95", "limit");
      table.row(
          "the script under plain `unshare` (baseline)",
          baseline.medianText(),
          baseline.p95Text(),
          "");
      table.row(
          "submit to first log line, complete sandbox",
          trainyard.medianText(),
          trainyard.p95Text(),
          "200 ms");
      table.row(
          "ratio",
          String.format(Locale.ROOT, "%.0f", trainyard.median() / baseline.median()),
          "",
          "");
    }
  }

  private void submitAndRead(BenchServer benchServer) throws IOException {
    String file =
        BenchServer.job("first-" + jobNumber++, 0, "echo hello; read forever < /dev/null");
    String id = benchServer.call("POST", "/api/v3/jobs", file).get("id").asText();
    String log = "/api/v3/jobs/" + id + "/logs/-/-/stdout?follow=true";
    try (InputStream in = benchServer.open("GET", log, "").getInputStream()) {
      if (in.read() != 'h') {
        throw new IOException("the log does not begin with the expected line");
      }
      in.readAllBytes();
    }
  }

  private static void runWithUnshare() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "--uts",
                "--ipc",
                "bash",
                "-c",
                "echo hello")
            .start();
    try (InputStream in = process.getInputStream()) {
      if (in.read() != 'h') {
        throw new IOException("unshare failed");
      }
    }
    process.waitFor();
  }
}
