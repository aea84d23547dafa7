package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Limits the CPU time of a test to one second per megabyte of input. Checked only while fuzzing: a
 * build must not fail because its node was busy.
 */
final class CpuTime {
  static final boolean JUDGED = System.getenv("JAZZER_FUZZ") != null;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Minimum allowance, even for empty input: code may run for the first time or be instrumented.
   */
  private static final Duration LEAST = Duration.ofMillis(500);

  private CpuTime() {}

  /** Runs the work, which must not take longer than allowed for an input of that length. */
  static <T> T judged(long length, Supplier<T> work) {
    long start = THREADS.getCurrentThreadCpuTime();
    T result = work.get();
    Duration taken = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start);
    if (JUDGED) {
      Duration allowed = Duration.ofNanos(Math.max(LEAST.toNanos(), length * 1000));
      assertThat(taken).as("time for %d bytes", length).isLessThanOrEqualTo(allowed);
    }
    return result;
  }
}
