package dev.trainyard.server.team;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/**
 * Counts the unfinished jobs of each user, their tasks and the bytes of their job files. A query
 * for every submission would take longer than storing the job, and on PostgreSQL would cause
 * serialization failures of concurrent submissions. Therefore an upper bound is kept in memory: the
 * last exact count plus all later submissions. The database is queried only if there is no upper
 * bound, or if the upper bound exceeds a limit. On PostgreSQL, the exact count may lack submissions
 * that are in progress at that time.
 */
final class UnfinishedLoad {
  private final Map<String, Load> upperBounds = new ConcurrentHashMap<>();

  /** Numbers of unfinished jobs, of their tasks, and of the bytes of their job files. */
  record Load(long jobs, long tasks, long bytes) {
    Load plus(Load other) {
      return new Load(jobs + other.jobs, tasks + other.tasks, bytes + other.bytes);
    }
  }

  /** Decides whether a user may have a certain load. */
  interface LoadCondition {
    boolean allows(Load load);
  }

  /**
   * Returns the load of a user. This is the upper bound if there is one that the condition allows,
   * otherwise the exact value.
   */
  Load of(Handle handle, String userId, LoadCondition condition) {
    Load upperBound = upperBounds.get(userId);
    if (upperBound != null && condition.allows(upperBound)) {
      return upperBound;
    }
    Load exact = LimitStore.load(handle, userId);
    if (upperBound == null) {
      upperBounds.putIfAbsent(userId, exact);
    } else {
      upperBounds.replace(userId, upperBound, exact);
    }
    return exact;
  }

  void add(String userId, Load added) {
    upperBounds.computeIfPresent(userId, (_, load) -> load.plus(added));
  }
}
