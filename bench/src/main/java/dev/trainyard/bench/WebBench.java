package dev.trainyard.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Measures the web page in Chromium with Chromium's tracing. The programs in {@code bench/web}
 * control Chromium and print the tables; this class starts the servers.
 */
final class WebBench implements Bench.Measurement {
  private static final int STORED_JOBS = 100_000;
  private static final int LOG_LINES = 1_100_000;
  private static final List<String> CHROMIUM =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private final Path programs = BenchServer.LAUNCHER.resolveSibling("bench").resolve("web");

  @Override
  public void run(Path directory) throws Exception {
    if (!Files.isDirectory(programs.resolve("node_modules/playwright-core"))) {
      runMeasurement(
          List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"), "");
    }
    Path data = directory.resolve("stored");
    BenchServer.start(data).close();
    try (Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + data.resolve("trainyard.db"))) {
      ListBench.insertJobs(connection, STORED_JOBS);
    }
    try (BenchServer benchServer = BenchServer.start(data)) {
      String server = benchServer.uri("").toString();
      runMeasurement(data, "first-visit.mjs", server);
      runMeasurement(data, "many-jobs.mjs", server);
      runMeasurement(data, "log-scroll.mjs", server, createLongLog(benchServer));
    }
    measureLiveJobs(Files.createDirectories(directory.resolve("live")).resolve("data"));
  }

  private void measureLiveJobs(Path data) throws IOException, InterruptedException {
    Process benchServer = ScriptedBenchServer.start(data);
    try (BufferedReader out = benchServer.inputReader(StandardCharsets.UTF_8)) {
      String address = out.readLine();
      if (address == null) {
        throw new IOException(Files.readString(data.resolveSibling("errors")));
      }
      runMeasurement(data, "live-jobs.mjs", URI.create(address).toString());
    } finally {
      benchServer.destroy();
      benchServer.onExit().join();
    }
  }

  /** Runs a job that prints 100 MB; returns its name when it has finished. */
  private static String createLongLog(BenchServer benchServer)
      throws IOException, InterruptedException {
    String line =
        "%07d step %d loss=0.%06d accuracy=0.%06d text that fills the line up to a hundred bytes";
    String numbers = "$1,$1,$1%999983,($1*7)%999983";
    String command = "seq 1 " + LOG_LINES + " | awk '{printf \"" + line + "\\n\"," + numbers + "}'";
    ObjectNode job = (ObjectNode) BenchServer.JSON.readTree(BenchServer.job("long-log", 0, "true"));
    ((ObjectNode) job.at("/taskRoles/0")).put("command", command);
    String id = benchServer.call("POST", "/api/v3/jobs", job.toString()).get("id").asText();
    String state = "";
    while (!state.equals("SUCCEEDED")) {
      Thread.sleep(500);
      state = benchServer.call("GET", "/api/v3/jobs/" + id, "").get("state").asText();
      if (state.equals("FAILED")) {
        throw new IOException("the job that prints a long log failed");
      }
    }
    return "long-log";
  }

  private void runMeasurement(Path data, String... arguments)
      throws IOException, InterruptedException {
    System.out.println();
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(Arrays.asList(arguments));
    runMeasurement(command, data.resolve("admin-password").toString());
  }

  private void runMeasurement(List<String> command, String passwordFile)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(programs.toFile()).inheritIO();
    builder.environment().put("PASSWORD_FILE", passwordFile);
    Optional<String> chromium =
        CHROMIUM.stream().filter(path -> Files.isExecutable(Path.of(path))).findFirst();
    builder
        .environment()
        .putIfAbsent(
            "CHROMIUM",
            chromium.orElseThrow(() -> new IllegalStateException("Chromium is not installed")));
    int status = builder.start().waitFor();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + " exited with code " + status);
    }
  }
}
