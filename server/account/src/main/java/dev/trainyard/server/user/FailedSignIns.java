package dev.trainyard.server.user;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Says which failed sign-ins are written into the audit log: some each minute, so that nobody can
 * fill the disk by guessing. The next one written says how many were not. Thread-safe.
 */
final class FailedSignIns {
  private static final int EACH_MINUTE = 5;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Clock clock;
  private Instant minute = Instant.MIN;
  private int written;
  private long left;

  FailedSignIns(Clock clock) {
    this.clock = clock;
  }

  /** How many were left out since the last one written, or empty to leave this one out too. */
  synchronized OptionalLong next() {
    Instant now = clock.instant();
    if (minute.equals(Instant.MIN) || !now.isBefore(minute.plus(MINUTE)) || now.isBefore(minute)) {
      minute = now;
      written = 0;
    }
    if (written == EACH_MINUTE) {
      left++;
      return OptionalLong.empty();
    }
    written++;
    long told = left;
    left = 0;
    return OptionalLong.of(told);
  }

  /** One that is not worth a record of its own: it was refused unread. */
  synchronized void leaveOut() {
    left++;
  }
}
