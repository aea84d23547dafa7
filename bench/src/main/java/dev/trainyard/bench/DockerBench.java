package dev.trainyard.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Compares containers of the platform with {@code docker run} in alternation. Both use the same
 * image, limits, network and ports. Needs a Docker engine and the image that {@code
 * it/docker/images} builds.
 */
final class DockerBench implements Bench.Measurement {
  private static final String IMAGE = "trainyard-test/busybox";
  private static final String NETWORK = "trainyard-bench";
  private static final int RUNS = 30;
  private static final int WARM_UPS = 5;
  private static final int CONTAINERS = 100;
  private static final int PARALLEL_CONTAINERS = 20;
  private static final int ROUNDS = 3;

  private int jobNumber;

  /** Times in milliseconds since the start of a run. */
  private record Times(double firstLine, double end) {}

  @Override
  public void run(Path directory) throws Exception {
    docker("network", "create", "--subnet", "10.99.0.0/24", NETWORK);
    try (BenchServer benchServer =
        BenchServer.start(
            directory.resolve("data"),
            "--engine",
            "docker",
            "--capacity",
            "cpu=" + PARALLEL_CONTAINERS + ",memoryMB=65536")) {
      measureSingleContainers(benchServer);
      measureManyContainers(benchServer);
    } finally {
      docker("network", "rm", NETWORK);
    }
  }

  private void measureSingleContainers(BenchServer benchServer) throws Exception {
    List<Times> plainRuns = new ArrayList<>();
    List<Times> baselineRuns = new ArrayList<>();
    List<Times> trainyardRuns = new ArrayList<>();
    for (int i = 0; i < WARM_UPS + RUNS; i++) {
      Times plainRun = dockerRun(List.of());
      Times baselineRun = dockerRun(baselineOptions());
      Times trainyardRun = submitAndRead(benchServer);
      if (i >= WARM_UPS) {
        plainRuns.add(plainRun);
        baselineRuns.add(baselineRun);
        trainyardRuns.add(trainyardRun);
      }
    }
    Table table = new Table("measurement", "first line, median", "p95", "end, median", "p95");
    row(table, "`docker run --rm`, no other options", plainRuns);
    row(table, "`docker run --rm`, same limits, network and ports (baseline)", baselineRuns);
    row(table, "Trainyard", trainyardRuns);
    table.row(
        "ratio to the baseline; limit 1.2",
        ratio(firstLines(trainyardRuns).median(), firstLines(baselineRuns).median()),
        ratio(firstLines(trainyardRuns).quantile(0.95), firstLines(baselineRuns).quantile(0.95)),
        ratio(ends(trainyardRuns).median(), ends(baselineRuns).median()),
        ratio(ends(trainyardRuns).quantile(0.95), ends(baselineRuns).quantile(0.95)));
  }

  private static Samples firstLines(List<Times> times) {
    return new Samples(times.stream().mapToDouble(Times::firstLine).toArray());
  }

  private static Samples ends(List<Times> times) {
    return new Samples(times.stream().mapToDouble(Times::end).toArray());
  }

  private static void row(Table table, String label, List<Times> times) {
    table.row(
        label,
        firstLines(times).medianText(),
        firstLines(times).p95Text(),
        ends(times).medianText(),
        ends(times).p95Text());
  }

  private static String ratio(double value, double baseline) {
    return String.format(Locale.ROOT, "%.2f", value / baseline);
  }

  /** Returns options of {@code docker run} that correspond to the settings of a task. */
  private static List<String> baselineOptions() {
    return List.of(
        "--network",
        NETWORK,
        "--memory=256m",
        "--cpus=1",
        "--pids-limit=16384",
        "--publish=127.0.0.1::22",
        "--publish=127.0.0.1::80");
  }

  private static Times dockerRun(List<String> options) throws Exception {
    List<String> command = new ArrayList<>(List.of("docker", "run", "--rm"));
    command.addAll(options);
    command.addAll(List.of(IMAGE, "sh", "-c", "echo hello"));
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    double firstLine;
    try (InputStream in = process.getInputStream()) {
      if (in.read() != 'h') {
        throw new IOException("docker run failed");
      }
      firstLine = millisSince(start);
      in.readAllBytes();
    }
    process.waitFor();
    return new Times(firstLine, millisSince(start));
  }

  private Times submitAndRead(BenchServer benchServer) throws IOException {
    long start = System.nanoTime();
    String id = submit(benchServer, "echo hello");
    String log = "/api/v3/jobs/" + id + "/logs/-/-/stdout?follow=true";
    try (InputStream in = benchServer.open("GET", log, "").getInputStream()) {
      if (in.read() != 'h') {
        throw new IOException("the log does not begin with the expected line");
      }
      double firstLine = millisSince(start);
      in.readAllBytes();
      return new Times(firstLine, millisSince(start));
    }
  }

  private String submit(BenchServer benchServer, String command) throws IOException {
    String file =
        BenchServer.job("docker-" + jobNumber++, 0, command)
            .replace("\"none\"", "\"" + IMAGE + "\"");
    return benchServer.call("POST", "/api/v3/jobs", file).get("id").asText();
  }

  /** Alternates between Docker and Trainyard, so that other load on the host affects both. */
  private void measureManyContainers(BenchServer benchServer) throws Exception {
    double[] baselineSeconds = new double[ROUNDS];
    double[] trainyardSeconds = new double[ROUNDS];
    double[] ratios = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      baselineSeconds[i] = runWithDocker();
      trainyardSeconds[i] = runWithTrainyard(benchServer);
      ratios[i] = trainyardSeconds[i] / baselineSeconds[i];
    }
    Table table =
        new Table(
            "100 containers of 1 s, 20 at a time, " + ROUNDS + " rounds",
            "seconds, median",
            "all",
            "ratio, median",
            "limit");
    row(table, "`xargs -P 20 docker run` (baseline)", baselineSeconds, "", "");
    row(table, "Trainyard", trainyardSeconds, ratio(new Samples(ratios).median(), 1), "1.15");
  }

  private static void row(Table table, String label, double[] seconds, String ratio, String limit) {
    table.row(label, format(new Samples(seconds).median()), formatAll(seconds), ratio, limit);
  }

  private static String formatAll(double[] seconds) {
    return DoubleStream.of(seconds).mapToObj(DockerBench::format).collect(Collectors.joining(", "));
  }

  private static String format(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }

  private double runWithTrainyard(BenchServer benchServer) throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < CONTAINERS; i++) {
      submit(benchServer, "sleep 1");
    }
    while (benchServer
        .call("GET", "/api/v3/jobs?limit=1&state=WAITING,PREPARING,RUNNING", "")
        .get("jobs")
        .elements()
        .hasNext()) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return millisSince(start) / 1_000;
  }

  private static double runWithDocker() throws Exception {
    long start = System.nanoTime();
    String options = String.join(" ", baselineOptions());
    String script =
        "seq %d | xargs -P %d -I{} docker run --rm %s %s sleep 1"
            .formatted(CONTAINERS, PARALLEL_CONTAINERS, options, IMAGE);
    if (new ProcessBuilder("sh", "-c", script).inheritIO().start().waitFor() != 0) {
      throw new IOException("docker run failed");
    }
    return millisSince(start) / 1_000;
  }

  private static double millisSince(long start) {
    return (System.nanoTime() - start) / 1e6;
  }

  private static void docker(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("command failed: " + String.join(" ", command));
    }
  }
}
