package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes those who wait for a job to change. Says only that something may have changed: the listener
 * looks at the database itself. Thread-safe.
 */
public final class JobChanges {
  private final Map<JobId, Set<Runnable>> listeners = new ConcurrentHashMap<>();
  private final Set<Runnable> listenersToAll = ConcurrentHashMap.newKeySet();

  /** Ends a subscription. */
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @param listener called on whatever thread changed the job: be quick
   */
  public Subscription subscribe(JobId job, Runnable listener) {
    listeners.compute(
        job,
        (_, set) -> {
          Set<Runnable> more = set == null ? ConcurrentHashMap.newKeySet() : set;
          more.add(listener);
          return more;
        });
    return () ->
        listeners.computeIfPresent(
            job,
            (_, set) -> {
              set.remove(listener);
              return set.isEmpty() ? null : set;
            });
  }

  /**
   * @param listener called whenever any job changed, on whatever thread changed it: be quick
   */
  public Subscription subscribeToAll(Runnable listener) {
    listenersToAll.add(listener);
    return () -> listenersToAll.remove(listener);
  }

  /** To be called after the change is durable. */
  public void changed(JobId job) {
    Set<Runnable> interested = listeners.get(job);
    if (interested != null) {
      interested.forEach(Runnable::run);
    }
    listenersToAll.forEach(Runnable::run);
  }

  /** How many jobs somebody waits for. */
  public int watched() {
    return listeners.size();
  }
}
