package dev.trainyard.server.user;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Decides which failed sign-ins are written to the audit log. Their number per minute is limited,
 * so that password guessing cannot fill the disk. The next record contains the number of omitted
 * failures. Thread-safe.
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
   * Decides whether the next failure is written. Returns the number of failures omitted since the
   * last record; empty if this failure must be omitted too.
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

  /** Counts a failure that is not recorded because the password was not checked. */
  synchronized void omit() {
    omittedCount++;
  }
}
