package dev.trainyard.server.db;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Notices by the clock of this process that a lease is no longer renewed. Without it, a lease would
 * last for as long as the database's clock was set back. Not thread-safe.
 */
public final class LeaseWatch {
  private static final Duration LONGEST = Lease.LENGTH.multipliedBy(2);

  private final LongSupplier nanoTime;
  private Optional<LeaseTable.Row> last = Optional.empty();
  private long since;

  /**
   * @param nanoTime a monotonic clock
   */
  public LeaseWatch(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether the row has been unchanged longer than a holder can keep the lease. */
  boolean isAbandoned(LeaseTable.Row row) {
    long now = nanoTime.getAsLong();
    boolean same =
        last.filter(it -> it.epoch() == row.epoch() && it.expiresAt() == row.expiresAt())
            .isPresent();
    if (!same) {
      last = Optional.of(row);
      since = now;
    }
    return now - since >= LONGEST.toNanos();
  }
}
