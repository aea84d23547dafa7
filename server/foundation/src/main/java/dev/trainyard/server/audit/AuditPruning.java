package dev.trainyard.server.audit;

import dev.trainyard.server.db.Db;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes audit records that are older than the configured retention, and records the deletion.
 * Uses small transactions, so that other writes are not delayed. Thread-safe.
 */
public final class AuditPruning {
  private static final Logger LOG = LoggerFactory.getLogger(AuditPruning.class);
  private static final int BATCH_SIZE = 500;

  private final Db db;
  private final Audit audit;
  private final Optional<Duration> retention;
  private final Clock clock;
  private final BooleanSupplier mayDelete;

  /**
   * @param retention maximum age of records; empty to keep records forever
   * @param mayDelete whether records may be deleted now, that is, whether the clock is reliable
   */
  public AuditPruning(Db db, Optional<Duration> retention, Clock clock, BooleanSupplier mayDelete) {
    this.db = db;
    this.audit = new Audit(clock);
    this.retention = retention;
    this.clock = clock;
    this.mayDelete = mayDelete;
  }

  /** Deletes expired records and returns their number. */
  public long deleteExpired() {
    if (retention.isEmpty() || !mayDelete.getAsBoolean()) {
      return 0;
    }
    Instant before = clock.instant().minus(retention.get());
    long deletedRows = 0;
    int deletedInBatch = BATCH_SIZE;
    while (deletedInBatch == BATCH_SIZE) {
      deletedInBatch = db.write(handle -> AuditStore.deleteOldest(handle, before, BATCH_SIZE));
      deletedRows += deletedInBatch;
    }
    if (deletedRows > 0) {
      Map<String, Object> details = Map.of("deleted", deletedRows, "before", before);
      db.write(
          handle -> {
            audit.record(handle, Actor.SYSTEM, "audit.prune", "audit", Map.of(), details);
            return null;
          });
      LOG.info("deleted {} audit log records older than {}", deletedRows, before);
    }
    return deletedRows;
  }
}
