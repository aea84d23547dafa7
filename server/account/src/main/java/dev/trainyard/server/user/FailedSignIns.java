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
  private static final int MAX_RECORDS_PER_MINUTE = 5;
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final Clock clock;
  private Instant periodStart = Instant.MIN;
  private int recordsWritten;
  private long omittedCount;

  FailedSignIns(Clock clock) {
    this.clock = clock;
  }

  /**
   * Returns the number of failures omitted since the last written one, or empty if this one must be
   * omitted too.
   */
  synchronized OptionalLong next() {
    Instant now = clock.instant();
    if (periodStart.equals(Instant.MIN)
        || !now.isBefore(periodStart.plus(PERIOD))
        || now.isBefore(periodStart)) {
      periodStart = now;
      recordsWritten = 0;
    }
    if (recordsWritten == MAX_RECORDS_PER_MINUTE) {
      omittedCount++;
      return OptionalLong.empty();
    }
    recordsWritten++;
    long omittedBefore = omittedCount;
    omittedCount = 0;
    return OptionalLong.of(omittedBefore);
  }

  /**
   * Counts a failure that needs no record because it was rejected without checking the password.
   */
  synchronized void omit() {
    omittedCount++;
  }
}
