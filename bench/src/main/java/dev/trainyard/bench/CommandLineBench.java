package dev.trainyard.bench;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Measures the run time of whole commands, including the launcher, and of {@code java -version} as
 * a baseline.
 */
final class CommandLineBench implements Bench.Measurement {
  @Override
  public void run(Path directory) throws Exception {
    Path data = directory.resolve("data");
    String launcher = BenchServer.LAUNCHER.toString();
    Table table = new Table("command", "median", "p95", "limit");
    try (BenchServer benchServer = BenchServer.start(data)) {
      for (int i = 0; i < 20; i++) {
        benchServer.call("POST", "/api/v3/jobs?suffix=true", BenchServer.job("listed", 99, "true"));
      }
      row(table, "java -version (baseline)", "", java(), "-version");
      row(table, "./trainyard version", "300 ms", launcher, "version");
      row(table, "./trainyard ls", "500 ms", launcher, "--data", data.toString(), "ls");
    }
  }

  private static void row(Table table, String name, String limit, String... command)
      throws Exception {
    Samples samples = Samples.of(3, 20, () -> run(command));
    table.row(name, samples.medianText(), samples.p95Text(), limit);
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
  }

  private static String java() {
    return ProcessHandle.current().info().command().orElse("java");
  }
}
