package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Waiting jobs in order of arrival, in a separate queue for each user in each virtual cluster. If a
 * limit blocks one queue, the planner continues with the other queues and does not examine the
 * remaining jobs of the blocked queue.
 */
final class PerUserQueues {
  private final ArrivalOrder allJobs = new ArrivalOrder();
  private final Map<Key, ArrivalOrder> queues = new HashMap<>();

  /** First job of each queue, by ID. */
  private final TreeMap<JobId, QueuedJob> heads = new TreeMap<>();

  private record Key(String user, String cluster) {
    static Key of(QueuedJob job) {
      return new Key(job.user(), job.virtualCluster());
    }
  }

  /** Adds a job, or replaces the job with the same ID. */
  void put(QueuedJob job) {
    remove(job.id());
    allJobs.put(job);
    ArrivalOrder queue = queues.computeIfAbsent(Key.of(job), _ -> new ArrivalOrder());
    queue.first().ifPresent(firstJob -> heads.remove(firstJob.id()));
    queue.put(job);
    queue.first().ifPresent(firstJob -> heads.put(firstJob.id(), firstJob));
  }

  void remove(JobId id) {
    Optional<QueuedJob> job = allJobs.find(id);
    if (job.isEmpty()) {
      return;
    }
    allJobs.remove(id);
    ArrivalOrder queue = queues.get(Key.of(job.get()));
    queue.remove(id);
    if (heads.remove(id) != null) {
      queue.first().ifPresent(firstJob -> heads.put(firstJob.id(), firstJob));
    }
    if (queue.first().isEmpty()) {
      queues.remove(Key.of(job.get()));
    }
  }

  Optional<QueuedJob> find(JobId id) {
    return allJobs.find(id);
  }

  Iterable<QueuedJob> allJobs() {
    return allJobs;
  }

  /** Returns the number of earlier jobs. */
  int countAhead(JobId id) {
    return allJobs.countAhead(id);
  }

  /** Returns the number of earlier jobs of the same virtual cluster. */
  int countAheadInCluster(QueuedJob job) {
    int count = 0;
    for (var queue : queues.entrySet()) {
      if (queue.getKey().cluster().equals(job.virtualCluster())) {
        count += queue.getValue().countAhead(job.id());
      }
    }
    return count;
  }

  /** Returns the number of earlier jobs of the same user. */
  int countAheadOfUser(QueuedJob job) {
    int count = 0;
    for (var queue : queues.entrySet()) {
      if (queue.getKey().user().equals(job.user())) {
        count += queue.getValue().countAhead(job.id());
      }
    }
    return count;
  }

  UnblockedJobs unblockedJobs() {
    return new UnblockedJobs();
  }

  /**
   * Iterates over the jobs in order of arrival and skips the jobs of blocked users and virtual
   * clusters.
   */
  final class UnblockedJobs {
    private final Iterator<QueuedJob> unopenedQueues = heads.values().iterator();
    private final PriorityQueue<Cursor> openedQueues =
        new PriorityQueue<>(Comparator.comparing(cursor -> cursor.next.id()));
    private final Set<String> blockedClusters = new HashSet<>();
    private final Set<String> blockedUsers = new HashSet<>();
    private QueuedJob nextUnopened = unopenedQueues.hasNext() ? unopenedQueues.next() : null;

    private static final class Cursor {
      private final Iterator<QueuedJob> queue;
      private QueuedJob next;

      Cursor(Iterator<QueuedJob> queue) {
        this.queue = queue;
        this.next = queue.next();
      }
    }

    /** Returns the next job that is not blocked; null at the end. */
    QueuedJob next() {
      while (true) {
        QueuedJob job = advance();
        if (job == null || !isBlocked(job)) {
          return job;
        }
      }
    }

    private QueuedJob advance() {
      boolean fromOpened =
          !openedQueues.isEmpty()
              && (nextUnopened == null
                  || openedQueues.peek().next.id().compareTo(nextUnopened.id()) < 0);
      if (!fromOpened && nextUnopened == null) {
        return null;
      }
      Cursor cursor;
      if (fromOpened) {
        cursor = openedQueues.poll();
      } else {
        if (isBlocked(nextUnopened)) {
          QueuedJob blockedJob = nextUnopened;
          nextUnopened = unopenedQueues.hasNext() ? unopenedQueues.next() : null;
          return blockedJob;
        }
        cursor = new Cursor(queues.get(Key.of(nextUnopened)).iterator());
        nextUnopened = unopenedQueues.hasNext() ? unopenedQueues.next() : null;
      }
      QueuedJob job = cursor.next;
      if (!isBlocked(job) && cursor.queue.hasNext()) {
        cursor.next = cursor.queue.next();
        openedQueues.add(cursor);
      }
      return job;
    }

    private boolean isBlocked(QueuedJob job) {
      return isUserBlocked(job) || isClusterBlocked(job);
    }

    boolean isUserBlocked(QueuedJob job) {
      return blockedUsers.contains(job.user());
    }

    boolean isClusterBlocked(QueuedJob job) {
      return blockedClusters.contains(job.virtualCluster());
    }

    /** Skips all further jobs of the user or virtual cluster to which the limit applies. */
    void blockQueuesOf(QueuedJob job, QuotaTracker.BlockingLimit limit) {
      if (limit.userShortage() != null) {
        blockedUsers.add(job.user());
      } else {
        blockedClusters.add(job.virtualCluster());
      }
    }
  }
}
