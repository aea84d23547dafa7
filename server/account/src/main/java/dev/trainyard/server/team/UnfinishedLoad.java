package dev.trainyard.server.team;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/**
 * Counts the unfinished jobs of each user, with their tasks and the bytes of their files. Counting
 * in the database for every submission would take longer than storing the job, and on PostgreSQL
 * would make concurrent submissions fail. Therefore memory holds an upper bound: the last exact
 * count plus all later submissions. The database is queried only when the upper bound exceeds a
 * limit. On PostgreSQL, submissions in progress at that moment may be missing from the count.
 */
final class UnfinishedLoad {
  private final Map<String, Load> upperBounds = new ConcurrentHashMap<>();

  /** Unfinished jobs, their tasks, and the bytes of their files. */
  record Load(long jobs, long tasks, long bytes) {
    Load plus(Load other) {
      return new Load(jobs + other.jobs, tasks + other.tasks, bytes + other.bytes);
    }
  }

  /** A condition for the load of a user. */
  interface LoadCondition {
    boolean allows(Load load);
  }

  /**
   * Returns the load of a user: the upper bound if the condition allows it, otherwise the exact
   * value.
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
