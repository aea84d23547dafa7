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
 * The jobs that wait, in order of arrival, in a line for each user in each virtual cluster: when a
 * limit holds one line up, the others go on, and nobody looks at the jobs behind the one that is
 * held up.
 */
final class PerUserQueues {
  private final ArrivalOrder all = new ArrivalOrder();
  private final Map<Key, ArrivalOrder> lines = new HashMap<>();

  /** The first job of each line. */
  private final TreeMap<JobId, QueuedJob> heads = new TreeMap<>();

  private record Key(String user, String cluster) {
    static Key of(QueuedJob job) {
      return new Key(job.user(), job.virtualCluster());
    }
  }

  /** Adds a job, or replaces the one with its id. */
  void put(QueuedJob job) {
    remove(job.id());
    all.put(job);
    ArrivalOrder line = lines.computeIfAbsent(Key.of(job), _ -> new ArrivalOrder());
    line.first().ifPresent(first -> heads.remove(first.id()));
    line.put(job);
    line.first().ifPresent(first -> heads.put(first.id(), first));
  }

  void remove(JobId id) {
    Optional<QueuedJob> job = all.find(id);
    if (job.isEmpty()) {
      return;
    }
    all.remove(id);
    ArrivalOrder line = lines.get(Key.of(job.get()));
    line.remove(id);
    if (heads.remove(id) != null) {
      line.first().ifPresent(first -> heads.put(first.id(), first));
    }
    if (line.first().isEmpty()) {
      lines.remove(Key.of(job.get()));
    }
  }

  Optional<QueuedJob> find(JobId id) {
    return all.find(id);
  }

  Iterable<QueuedJob> all() {
    return all;
  }

  /** How many came before. */
  int ahead(JobId id) {
    return all.ahead(id);
  }

  /** How many of the same virtual cluster came before. */
  int aheadInCluster(QueuedJob job) {
    int count = 0;
    for (var line : lines.entrySet()) {
      if (line.getKey().cluster().equals(job.virtualCluster())) {
        count += line.getValue().ahead(job.id());
      }
    }
    return count;
  }

  /** How many of the same user came before. */
  int aheadOfUser(QueuedJob job) {
    int count = 0;
    for (var line : lines.entrySet()) {
      if (line.getKey().user().equals(job.user())) {
        count += line.getValue().ahead(job.id());
      }
    }
    return count;
  }

  Walk walk() {
    return new Walk();
  }

  /** Goes along the jobs in order of arrival and leaves out whoever is held up. */
  final class Walk {
    private final Iterator<QueuedJob> untouched = heads.values().iterator();
    private final PriorityQueue<Place> touched =
        new PriorityQueue<>(Comparator.comparing(place -> place.next.id()));
    private final Set<String> heldClusters = new HashSet<>();
    private final Set<String> heldUsers = new HashSet<>();
    private QueuedJob nextUntouched = untouched.hasNext() ? untouched.next() : null;

    private static final class Place {
      private final Iterator<QueuedJob> line;
      private QueuedJob next;

      Place(Iterator<QueuedJob> line) {
        this.line = line;
        this.next = line.next();
      }
    }

    /** The next job that is not held up; null at the end. */
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
      Place place;
      if (fromTouched) {
        place = touched.poll();
      } else {
        if (isHeld(nextUntouched)) {
          QueuedJob held = nextUntouched;
          nextUntouched = untouched.hasNext() ? untouched.next() : null;
          return held;
        }
        place = new Place(lines.get(Key.of(nextUntouched)).iterator());
        nextUntouched = untouched.hasNext() ? untouched.next() : null;
      }
      QueuedJob job = place.next;
      if (!isHeld(job) && place.line.hasNext()) {
        place.next = place.line.next();
        touched.add(place);
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

    /** No more jobs of whose limit this is. */
    void hold(QueuedJob job, QuotaTracker.Limiting limiting) {
      if (limiting.user() != null) {
        heldUsers.add(job.user());
      } else {
        heldClusters.add(job.virtualCluster());
      }
    }
  }
}
