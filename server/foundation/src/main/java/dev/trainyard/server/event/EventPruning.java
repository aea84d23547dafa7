package dev.trainyard.server.event;

import dev.trainyard.server.db.Db;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of stored events, so that jobs that are retried often or have many tasks do not
 * fill the database. For each job, the submission and the newest events are kept. Uses small
 * transactions, so that other writes are not delayed. Thread-safe.
 */
public final class EventPruning {
  private static final Logger LOG = LoggerFactory.getLogger(EventPruning.class);
  private static final int MAX_JOBS_PER_RUN = 200;
  private static final int BATCH_SIZE = 500;

  /** Maximum number of stored deletion events. A follower is hardly ever further behind. */
  private static final int MAX_DELETIONS = 100_000;

  private final Db db;
  private final EventStore store;
  private final int maxEvents;

  /**
   * @param maxEvents maximum number of events of a job
   */
  public EventPruning(Db db, EventStore store, int maxEvents) {
    this.db = db;
    this.store = store;
    this.maxEvents = maxEvents;
  }

  /** Deletes surplus events and returns their number. */
  public long deleteSurplus() {
    long deletedEvents = db.write(handle -> store.pruneDeletions(handle, MAX_DELETIONS));
    for (var jobEvents :
        db.read(handle -> store.listExceeding(handle, maxEvents, MAX_JOBS_PER_RUN))) {
      long surplus = jobEvents.events() - maxEvents;
      int deletedInBatch = 1;
      while (surplus > 0 && deletedInBatch > 0) {
        int count = (int) Math.min(surplus, BATCH_SIZE);
        deletedInBatch = db.write(handle -> store.deleteOldest(handle, jobEvents.job(), count));
        surplus -= deletedInBatch;
        deletedEvents += deletedInBatch;
      }
    }
    if (deletedEvents > 0) {
      LOG.info(
          "deleted {} events of jobs with more than {} events or of jobs deleted long ago",
          deletedEvents,
          maxEvents);
    }
    return deletedEvents;
  }
}
