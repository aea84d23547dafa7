package dev.trainyard.bench;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Time from starting the launcher to the ready line, and memory of the idle server. */
final class StartBench implements Bench.Measurement {
  private static final int RUNS = 7;

  @Override
  public void run(Path directory) throws Exception {
    double[] first = new double[RUNS];
    double[] again = new double[RUNS];
    double[] resident = new double[RUNS];
    BenchServer.start(directory.resolve("warm-up")).close();
    for (int i = 0; i < RUNS; i++) {
      Path data = directory.resolve("data" + i);
      first[i] = ready(data, null);
      again[i] = ready(data, megabytes(resident, i));
    }
    Table table = new Table("measurement", "median", "worst", "limit");
    table.row(
        "ready, empty data directory", new Samples(first).medianText(), worst(first), "1500 ms");
    table.row(
        "ready, existing data directory", new Samples(again).medianText(), worst(again), "1500 ms");
    Samples memory = new Samples(resident);
    table.row(
        "resident after 3 s idle",
        Math.round(memory.median()) + " MB",
        Math.round(memory.quantile(1)) + " MB",
        "250 MB");
  }

  private interface Look {
    void at(BenchServer benchServer) throws Exception;
  }

  private static Look megabytes(double[] into, int index) {
    return benchServer -> {
      TimeUnit.SECONDS.sleep(3);
      into[index] = benchServer.residentMegabytes();
    };
  }

  private static double ready(Path data, Look look) throws Exception {
    long start = System.nanoTime();
    try (BenchServer benchServer = BenchServer.start(data)) {
      double millis = (System.nanoTime() - start) / 1e6;
      if (look != null) {
        look.at(benchServer);
      }
      return millis;
    }
  }

  private static String worst(double[] millis) {
    return Samples.text(new Samples(millis).quantile(1));
  }
}
