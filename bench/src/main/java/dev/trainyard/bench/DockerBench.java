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
 * Compares containers of the platform with {@code docker run}, alternately, with the same image,
 * limits, network and ports. Needs a Docker engine and the image that {@code it/docker/images}
 * builds.
 */
final class DockerBench implements Bench.Measurement {
  private static final String IMAGE = "trainyard-test/busybox";
  private static final String NETWORK = "trainyard-bench";
  private static final int RUNS = 30;
  private static final int WARM_UPS = 5;
  private static final int MANY = 100;
  private static final int AT_ONCE = 20;
  private static final int ROUNDS = 3;

  private int number;

  /** Milliseconds since the start. */
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
            "cpu=" + AT_ONCE + ",memoryMB=65536")) {
      one(benchServer);
      many(benchServer);
    } finally {
      docker("network", "rm", NETWORK);
    }
  }

  private void one(BenchServer benchServer) throws Exception {
    List<Times> plain = new ArrayList<>();
    List<Times> same = new ArrayList<>();
    List<Times> ours = new ArrayList<>();
    for (int i = 0; i < WARM_UPS + RUNS; i++) {
      Times bare = dockerRun(List.of());
      Times alike = dockerRun(likeOurs());
      Times platform = submitAndRead(benchServer);
      if (i >= WARM_UPS) {
        plain.add(bare);
        same.add(alike);
        ours.add(platform);
      }
    }
    Table table = new Table("measurement", "first line, median", "p95", "end, median", "p95");
    row(table, "`docker run --rm`, no other options", plain);
    row(table, "`docker run --rm`, same limits, network and ports (baseline)", same);
    row(table, "Trainyard", ours);
    table.row(
        "ratio to the baseline; limit 1.2",
        ratio(first(ours).median(), first(same).median()),
        ratio(first(ours).quantile(0.95), first(same).quantile(0.95)),
        ratio(end(ours).median(), end(same).median()),
        ratio(end(ours).quantile(0.95), end(same).quantile(0.95)));
  }

  private static Samples first(List<Times> times) {
    return new Samples(times.stream().mapToDouble(Times::firstLine).toArray());
  }

  private static Samples end(List<Times> times) {
    return new Samples(times.stream().mapToDouble(Times::end).toArray());
  }

  private static void row(Table table, String what, List<Times> times) {
    table.row(
        what,
        first(times).medianText(),
        first(times).p95Text(),
        end(times).medianText(),
        end(times).p95Text());
  }

  private static String ratio(double ours, double theirs) {
    return String.format(Locale.ROOT, "%.2f", ours / theirs);
  }

  /** Returns options of {@code docker run} that correspond to the settings of a task. */
  private static List<String> likeOurs() {
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
    double first;
    try (InputStream in = process.getInputStream()) {
      if (in.read() != 'h') {
        throw new IOException("docker run failed");
      }
      first = millis(start);
      in.readAllBytes();
    }
    process.waitFor();
    return new Times(first, millis(start));
  }

  private Times submitAndRead(BenchServer benchServer) throws IOException {
    long start = System.nanoTime();
    String id = submit(benchServer, "echo hello");
    String log = "/api/v3/jobs/" + id + "/logs/-/-/stdout?follow=true";
    try (InputStream in = benchServer.open("GET", log, "").getInputStream()) {
      if (in.read() != 'h') {
        throw new IOException("not the first line");
      }
      double first = millis(start);
      in.readAllBytes();
      return new Times(first, millis(start));
    }
  }

  private String submit(BenchServer benchServer, String command) throws IOException {
    String file =
        BenchServer.job("docker-" + number++, 0, command).replace("\"none\"", "\"" + IMAGE + "\"");
    return benchServer.call("POST", "/api/v3/jobs", file).get("id").asText();
  }

  /** Alternates between both, so that other load on the host affects both. */
  private void many(BenchServer benchServer) throws Exception {
    double[] theirs = new double[ROUNDS];
    double[] ours = new double[ROUNDS];
    double[] ratios = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      theirs[i] = docker20();
      ours[i] = submit20(benchServer);
      ratios[i] = ours[i] / theirs[i];
    }
    Table table =
        new Table(
            "100 containers of 1 s, 20 at a time, " + ROUNDS + " rounds",
            "seconds, median",
            "all",
            "ratio, median",
            "limit");
    row(table, "`xargs -P 20 docker run` (baseline)", theirs, "", "");
    row(table, "Trainyard", ours, ratio(new Samples(ratios).median(), 1), "1.15");
  }

  private static void row(Table table, String what, double[] seconds, String ratio, String limit) {
    table.row(what, text(new Samples(seconds).median()), all(seconds), ratio, limit);
  }

  private static String all(double[] seconds) {
    return DoubleStream.of(seconds).mapToObj(DockerBench::text).collect(Collectors.joining(", "));
  }

  private static String text(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }

  private double submit20(BenchServer benchServer) throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < MANY; i++) {
      submit(benchServer, "sleep 1");
    }
    while (benchServer
        .call("GET", "/api/v3/jobs?limit=1&state=WAITING,PREPARING,RUNNING", "")
        .get("jobs")
        .elements()
        .hasNext()) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return millis(start) / 1_000;
  }

  private static double docker20() throws Exception {
    long start = System.nanoTime();
    String options = String.join(" ", likeOurs());
    String script =
        "seq %d | xargs -P %d -I{} docker run --rm %s %s sleep 1"
            .formatted(MANY, AT_ONCE, options, IMAGE);
    if (new ProcessBuilder("sh", "-c", script).inheritIO().start().waitFor() != 0) {
      throw new IOException("docker run failed");
    }
    return millis(start) / 1_000;
  }

  private static double millis(long since) {
    return (System.nanoTime() - since) / 1e6;
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
      throw new IOException("failed: " + String.join(" ", command));
    }
  }
}
