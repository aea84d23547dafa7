package dev.trainyard.bench;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from the start of the launcher until the server prints that it is ready, and
 * the memory of the idle server.
 */
final class StartBench implements Bench.Measurement {
  private static final int RUNS = 7;

  @Override
  public void run(Path directory) throws Exception {
    double[] emptyDirectoryMillis = new double[RUNS];
    double[] existingDirectoryMillis = new double[RUNS];
    double[] residentMegabytes = new double[RUNS];
    BenchServer.start(directory.resolve("warm-up")).close();
    for (int i = 0; i < RUNS; i++) {
      Path data = directory.resolve("data" + i);
      emptyDirectoryMillis[i] = measureStart(data, null);
      existingDirectoryMillis[i] = measureStart(data, recordMemory(residentMegabytes, i));
    }
    Table table = new Table("measurement", "median", "worst", "limit");
    table.row(
        "ready, empty data directory",
        new Samples(emptyDirectoryMillis).medianText(),
        worstText(emptyDirectoryMillis),
        "1500 ms");
    table.row(
        "ready, existing data directory",
        new Samples(existingDirectoryMillis).medianText(),
        worstText(existingDirectoryMillis),
        "1500 ms");
    Samples residentSamples = new Samples(residentMegabytes);
    table.row(
        "resident after 3 s idle",
        Math.round(residentSamples.median()) + " MB",
        Math.round(residentSamples.quantile(1)) + " MB",
        "250 MB");
  }

  private interface ServerAction {
    void run(BenchServer benchServer) throws Exception;
  }

  private static ServerAction recordMemory(double[] results, int index) {
    return benchServer -> {
      TimeUnit.SECONDS.sleep(3);
      results[index] = benchServer.residentMegabytes();
    };
  }

  private static double measureStart(Path data, ServerAction action) throws Exception {
    long start = System.nanoTime();
    try (BenchServer benchServer = BenchServer.start(data)) {
      double millis = (System.nanoTime() - start) / 1e6;
      if (action != null) {
        action.run(benchServer);
      }
      return millis;
    }
  }

  private static String worstText(double[] millis) {
    return Samples.format(new Samples(millis).quantile(1));
  }
}
