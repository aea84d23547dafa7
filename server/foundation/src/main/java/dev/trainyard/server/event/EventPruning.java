package dev.trainyard.server.event;

import dev.trainyard.server.db.Db;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps jobs that start again and again, or have very many tasks, from filling the database: of
 * each job its submission and its newest events stay. In small writes, so nobody waits for it.
 * Thread-safe.
 */
public final class EventPruning {
  private static final Logger LOG = LoggerFactory.getLogger(EventPruning.class);
  private static final int JOBS = 200;
  private static final int PIECE = 500;

  /** Whoever follows events is seldom further behind. */
  private static final int MOST_DELETIONS = 100_000;

  private final Db db;
  private final EventStore store;
  private final int most;

  /**
   * @param most how many events a job may keep
   */
  public EventPruning(Db db, EventStore store, int most) {
    this.db = db;
    this.store = store;
    this.most = most;
  }

  /** Deletes what is too much, and answers how many events that were. */
  public long sweep() {
    long gone = db.write(handle -> store.pruneDeletions(handle, MOST_DELETIONS));
    for (var crowd : db.read(handle -> store.crowded(handle, most, JOBS))) {
      long left = crowd.events() - most;
      int went = 1;
      while (left > 0 && went > 0) {
        int count = (int) Math.min(left, PIECE);
        went = db.write(handle -> store.deleteOldest(handle, crowd.job(), count));
        left -= went;
        gone += went;
      }
    }
    if (gone > 0) {
      LOG.info(
          "deleted {} events, of jobs that have more than {}, or of jobs deleted long ago",
          gone,
          most);
    }
    return gone;
  }
}
