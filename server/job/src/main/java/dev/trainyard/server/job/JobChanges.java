package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notifies listeners that a job may have changed. The notification carries no data: the listener
 * reads the database itself. Thread-safe.
 */
public final class JobChanges {
  private final Map<JobId, Set<Runnable>> listeners = new ConcurrentHashMap<>();
  private final Set<Runnable> globalListeners = ConcurrentHashMap.newKeySet();

  /** Ends a subscription. */
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * @param listener called on the thread that changed the job; must return quickly
   */
  public Subscription subscribe(JobId job, Runnable listener) {
    listeners.compute(
        job,
        (_, set) -> {
          Set<Runnable> jobListeners = set == null ? ConcurrentHashMap.newKeySet() : set;
          jobListeners.add(listener);
          return jobListeners;
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
   * @param listener called for a change of any job, on the thread that changed it; must return
   *     quickly
   */
  public Subscription subscribeToAll(Runnable listener) {
    globalListeners.add(listener);
    return () -> globalListeners.remove(listener);
  }

  /** Must be called after the change was committed. */
  public void notifyListeners(JobId job) {
    Set<Runnable> jobListeners = listeners.get(job);
    if (jobListeners != null) {
      jobListeners.forEach(Runnable::run);
    }
    globalListeners.forEach(Runnable::run);
  }

  /** Returns the number of jobs that have a listener. */
  public int watchedJobCount() {
    return listeners.size();
  }
}
