package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.event.EventType;
import dev.trainyard.server.event.NewEvent;
import dev.trainyard.server.job.Job;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Why jobs that have their place don't run yet. Thread-safe. */
final class ImageProgress {
  private final Map<JobId, Message> reasons = new HashMap<>();
  private final Set<JobId> underWay = new HashSet<>();

  /** Of a job whose images are being fetched; {@link #over} when they are there. */
  JobImages.Progress of(
      Job job, RetryingDb retryingDb, AttemptRecords records, EventWriter events) {
    begin(job.id());
    return new JobImages.Progress() {
      @Override
      public void now(Message reason) {
        put(job.id(), reason);
      }

      @Override
      public void tell(boolean warning, Message event) {
        NewEvent told =
            NewEvent.of(
                job.id(), job.userId(), EventType.PULLING, warning, job.status().attempt(), event);
        retryingDb.write(
            handle -> {
              events.write(handle, List.of(told));
              return true;
            });
        records.changed(job.id());
      }
    };
  }

  /** Stores events. */
  @FunctionalInterface
  interface EventWriter {
    void write(Handle handle, List<NewEvent> events);
  }

  private synchronized void begin(JobId job) {
    underWay.add(job);
  }

  /** What comes too late is not said of a job that runs. */
  private synchronized void put(JobId job, Message reason) {
    if (underWay.contains(job)) {
      reasons.put(job, reason);
    }
  }

  synchronized void over(JobId job) {
    underWay.remove(job);
    reasons.remove(job);
  }

  /** What is known besides, and the reasons of these. */
  synchronized Map<JobId, Message> addTo(Map<JobId, Message> others, Collection<JobId> jobs) {
    Map<JobId, Message> found = new HashMap<>(others);
    for (JobId job : jobs) {
      Message reason = reasons.get(job);
      if (reason != null) {
        found.put(job, reason);
      }
    }
    return found;
  }
}
