package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Limits the CPU time of a test to one second per megabyte of input. The limit is checked only
 * while fuzzing, because a build must not fail when its node is busy.
 */
final class CpuTime {
  static final boolean IS_LIMITED = System.getenv("JAZZER_FUZZ") != null;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Minimum limit, which also applies to empty input, because code may run for the first time or be
   * instrumented.
   */
  private static final Duration MIN_LIMIT = Duration.ofMillis(500);

  private CpuTime() {}

  /** Runs an action, which must not take longer than the limit for an input of this length. */
  static <T> T runWithinLimit(long length, Supplier<T> action) {
    long start = THREADS.getCurrentThreadCpuTime();
    T result = action.get();
    Duration cpuTime = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start);
    if (IS_LIMITED) {
      Duration limit = Duration.ofNanos(Math.max(MIN_LIMIT.toNanos(), length * 1000));
      assertThat(cpuTime).as("time for %d bytes", length).isLessThanOrEqualTo(limit);
    }
    return result;
  }
}
