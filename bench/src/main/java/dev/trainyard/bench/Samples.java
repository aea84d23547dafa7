package dev.trainyard.bench;

import java.util.Arrays;
import java.util.Locale;

/** Measured durations in milliseconds. */
final class Samples {
  private final double[] millis;

  /** An operation to measure. */
  interface Operation {
    void run() throws Exception;
  }

  Samples(double[] millis) {
    this.millis = millis.clone();
    Arrays.sort(this.millis);
  }

  static Samples of(int warmUps, int runs, Operation operation) throws Exception {
    for (int i = 0; i < warmUps; i++) {
      operation.run();
    }
    double[] millis = new double[runs];
    for (int i = 0; i < runs; i++) {
      long start = System.nanoTime();
      operation.run();
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    return new Samples(millis);
  }

  double quantile(double share) {
    return millis[(int) Math.min(millis.length - 1, Math.round(share * (millis.length - 1)))];
  }

  double median() {
    return quantile(0.5);
  }

  String medianText() {
    return format(median());
  }

  String p95Text() {
    return format(quantile(0.95));
  }

  static String format(double millis) {
    return String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis);
  }
}
