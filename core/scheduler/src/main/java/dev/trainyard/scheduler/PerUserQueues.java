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
 * limit blocks one queue, the others continue, and the jobs behind the blocked one are not
 * examined.
 */
final class PerUserQueues {
  private final ArrivalOrder all = new ArrivalOrder();
  private final Map<Key, ArrivalOrder> queues = new HashMap<>();

  /** First job of each queue. */
  private final TreeMap<JobId, QueuedJob> heads = new TreeMap<>();

  private record Key(String user, String cluster) {
    static Key of(QueuedJob job) {
      return new Key(job.user(), job.virtualCluster());
    }
  }

  /** Adds a job, or replaces the one with the same ID. */
  void put(QueuedJob job) {
    remove(job.id());
    all.put(job);
    ArrivalOrder queue = queues.computeIfAbsent(Key.of(job), _ -> new ArrivalOrder());
    queue.first().ifPresent(first -> heads.remove(first.id()));
    queue.put(job);
    queue.first().ifPresent(first -> heads.put(first.id(), first));
  }

  void remove(JobId id) {
    Optional<QueuedJob> job = all.find(id);
    if (job.isEmpty()) {
      return;
    }
    all.remove(id);
    ArrivalOrder queue = queues.get(Key.of(job.get()));
    queue.remove(id);
    if (heads.remove(id) != null) {
      queue.first().ifPresent(first -> heads.put(first.id(), first));
    }
    if (queue.first().isEmpty()) {
      queues.remove(Key.of(job.get()));
    }
  }

  Optional<QueuedJob> find(JobId id) {
    return all.find(id);
  }

  Iterable<QueuedJob> all() {
    return all;
  }

  /** Returns the number of earlier jobs. */
  int ahead(JobId id) {
    return all.ahead(id);
  }

  /** Returns the number of earlier jobs of the same virtual cluster. */
  int aheadInCluster(QueuedJob job) {
    int count = 0;
    for (var queue : queues.entrySet()) {
      if (queue.getKey().cluster().equals(job.virtualCluster())) {
        count += queue.getValue().ahead(job.id());
      }
    }
    return count;
  }

  /** Returns the number of earlier jobs of the same user. */
  int aheadOfUser(QueuedJob job) {
    int count = 0;
    for (var queue : queues.entrySet()) {
      if (queue.getKey().user().equals(job.user())) {
        count += queue.getValue().ahead(job.id());
      }
    }
    return count;
  }

  Walk walk() {
    return new Walk();
  }

  /** Iterates over the jobs in order of arrival and skips blocked ones. */
  final class Walk {
    private final Iterator<QueuedJob> untouched = heads.values().iterator();
    private final PriorityQueue<Cursor> touched =
        new PriorityQueue<>(Comparator.comparing(cursor -> cursor.next.id()));
    private final Set<String> heldClusters = new HashSet<>();
    private final Set<String> heldUsers = new HashSet<>();
    private QueuedJob nextUntouched = untouched.hasNext() ? untouched.next() : null;

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
        QueuedJob job = take();
        if (job == null || !isHeld(job)) {
          return job;
        }
      }
    }

    private QueuedJob take() {
      boolean fromTouched =
          !touched.isEmpty()
              && (nextUntouched == null
                  || touched.peek().next.id().compareTo(nextUntouched.id()) < 0);
      if (!fromTouched && nextUntouched == null) {
        return null;
      }
      Cursor cursor;
      if (fromTouched) {
        cursor = touched.poll();
      } else {
        if (isHeld(nextUntouched)) {
          QueuedJob held = nextUntouched;
          nextUntouched = untouched.hasNext() ? untouched.next() : null;
          return held;
        }
        cursor = new Cursor(queues.get(Key.of(nextUntouched)).iterator());
        nextUntouched = untouched.hasNext() ? untouched.next() : null;
      }
      QueuedJob job = cursor.next;
      if (!isHeld(job) && cursor.queue.hasNext()) {
        cursor.next = cursor.queue.next();
        touched.add(cursor);
      }
      return job;
    }

    private boolean isHeld(QueuedJob job) {
      return isHeldByUser(job) || isHeldByCluster(job);
    }

    boolean isHeldByUser(QueuedJob job) {
      return heldUsers.contains(job.user());
    }

    boolean isHeldByCluster(QueuedJob job) {
      return heldClusters.contains(job.virtualCluster());
    }

    /** Skips all further jobs of the user or virtual cluster to which the limit applies. */
    void hold(QueuedJob job, QuotaTracker.Limiting limiting) {
      if (limiting.user() != null) {
        heldUsers.add(job.user());
      } else {
        heldClusters.add(job.virtualCluster());
      }
    }
  }
}
