package dev.trainyard.server.db;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Detects abandoned leases with the clock of this process: if the clock of the database is set
 * back, an abandoned lease seems to be valid for longer than it is. Not thread-safe.
 */
public final class LeaseWatch {
  private static final Duration MAX_AGE = Lease.LENGTH.multipliedBy(2);

  private final LongSupplier nanoTime;
  private Optional<LeaseTable.Row> lastRow = Optional.empty();
  private long unchangedSince;

  /**
   * @param nanoTime a monotonic clock
   */
  public LeaseWatch(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Returns whether the row has been unchanged for longer than a holder can keep the lease. */
  boolean isAbandoned(LeaseTable.Row row) {
    long now = nanoTime.getAsLong();
    boolean isSameLease =
        lastRow
            .filter(it -> it.epoch() == row.epoch() && it.expiresAt() == row.expiresAt())
            .isPresent();
    if (!isSameLease) {
      lastRow = Optional.of(row);
      unchangedSince = now;
    }
    return now - unchangedSince >= MAX_AGE.toNanos();
  }
}
