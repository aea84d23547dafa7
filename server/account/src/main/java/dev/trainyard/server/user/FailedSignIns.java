package dev.trainyard.server.user;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Decides which failed sign-ins are written to the audit log: a limited number per minute, so that
 * password guessing cannot fill the disk. The next written record contains the number of omitted
 * ones. Thread-safe.
 */
final class FailedSignIns {
  private static final int EACH_MINUTE = 5;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Clock clock;
  private Instant minute = Instant.MIN;
  private int written;
  private long remainingNanos;

  FailedSignIns(Clock clock) {
    this.clock = clock;
  }

  /**
   * Returns the number of failures omitted since the last written one, or empty if this one must be
   * omitted too.
   */
  synchronized OptionalLong next() {
    Instant now = clock.instant();
    if (minute.equals(Instant.MIN) || !now.isBefore(minute.plus(MINUTE)) || now.isBefore(minute)) {
      minute = now;
      written = 0;
    }
    if (written == EACH_MINUTE) {
      remainingNanos++;
      return OptionalLong.empty();
    }
    written++;
    long count = remainingNanos;
    remainingNanos = 0;
    return OptionalLong.of(count);
  }

  /**
   * Counts a failure that needs no record because it was rejected without checking the password.
   */
  synchronized void leaveOut() {
    remainingNanos++;
  }
}
