package dev.trainyard.engine.linux;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides whether a process spends its time on garbage collections that free almost nothing. Such a
 * process can continue for minutes without an OutOfMemoryError, but answers no request. Confined to
 * one thread.
 */
final class HeapExhaustionDetector {
  /** Length of the evaluated period; a shorter peak is tolerated. */
  static final Duration WINDOW = Duration.ofSeconds(20);

  private static final int MIN_COLLECTIONS = 5;
  private static final double FULL_RATIO = 0.95;
  private static final double MIN_COLLECTING_RATIO = 0.6;

  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * The state of the heap at one time.
   *
   * @param nanos value of a monotonic clock
   * @param collections collections of the old generation so far
   * @param collectingMillis time of all collections so far
   * @param usedAfter bytes of the old generation after its last collection
   * @param maxBytes maximum bytes of the old generation
   */
  record Sample(
      long nanos, long collections, long collectingMillis, long usedAfter, long maxBytes) {
    private boolean full() {
      return maxBytes > 0 && usedAfter > FULL_RATIO * maxBytes;
    }
  }

  /** Adds a sample, and returns whether the process should end. */
  boolean isExhausted(Sample now) {
    if (!now.full()) {
      samples.clear();
      return false;
    }
    samples.addLast(now);
    // Drops samples until only the first sample is at least as old as the window.
    while (samples.size() > 1 && now.nanos() - second().nanos() >= WINDOW.toNanos()) {
      samples.removeFirst();
    }
    Sample first = samples.getFirst();
    long nanos = now.nanos() - first.nanos();
    double collecting =
        Duration.ofMillis(now.collectingMillis() - first.collectingMillis()).toNanos();
    return nanos >= WINDOW.toNanos()
        && now.collections() - first.collections() >= MIN_COLLECTIONS
        && collecting >= MIN_COLLECTING_RATIO * nanos;
  }

  private Sample second() {
    var all = samples.iterator();
    all.next();
    return all.next();
  }
}
