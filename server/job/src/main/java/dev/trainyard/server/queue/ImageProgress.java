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

/** Tracks why placed jobs whose images are being fetched are not running yet. Thread-safe. */
final class ImageProgress {
  private final Map<JobId, Message> reasons = new HashMap<>();
  private final Set<JobId> fetchingJobs = new HashSet<>();

  /**
   * Returns the progress listener of a job whose images are being fetched; the caller must call
   * {@link #finish} when the images are available.
   */
  JobImages.Progress of(
      Job job, RetryingDb retryingDb, AttemptRecords records, EventWriter events) {
    begin(job.id());
    return new JobImages.Progress() {
      @Override
      public void setReason(Message reason) {
        put(job.id(), reason);
      }

      @Override
      public void addEvent(boolean warning, Message event) {
        NewEvent storedEvent =
            NewEvent.of(
                job.id(), job.userId(), EventType.PULLING, warning, job.status().attempt(), event);
        retryingDb.write(
            handle -> {
              events.write(handle, List.of(storedEvent));
              return true;
            });
        records.notifyChanged(job.id());
      }
    };
  }

  /** Stores events. */
  @FunctionalInterface
  interface EventWriter {
    void write(Handle handle, List<NewEvent> events);
  }

  private synchronized void begin(JobId job) {
    fetchingJobs.add(job);
  }

  /**
   * Stores a reason; ignores a reason that arrives after {@link #finish}, when the job may already
   * be running.
   */
  private synchronized void put(JobId job, Message reason) {
    if (fetchingJobs.contains(job)) {
      reasons.put(job, reason);
    }
  }

  synchronized void finish(JobId job) {
    fetchingJobs.remove(job);
    reasons.remove(job);
  }

  /** Returns the given reasons, plus the reasons that this object has recorded for these jobs. */
  synchronized Map<JobId, Message> addTo(Map<JobId, Message> otherReasons, Collection<JobId> jobs) {
    Map<JobId, Message> allReasons = new HashMap<>(otherReasons);
    for (JobId job : jobs) {
      Message reason = reasons.get(job);
      if (reason != null) {
        allReasons.put(job, reason);
      }
    }
    return allReasons;
  }
}
