package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.event.EventStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an event with the reason why a job waits, if the job was already waiting at the previous
 * check. Writes at most one event per attempt, because the reason may change with every plan, and a
 * limited number of events per check, so that a long queue does not cause much load. The database
 * ensures that an event written by a previous server process is not repeated. Only the queue thread
 * calls {@link #recordDue}.
 */
final class WaitReasonRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(WaitReasonRecorder.class);
  private static final int MAX_PER_CHECK = 200;

  /**
   * Reasons that were already reported when the previous attempt ended, or that are not worth an
   * event.
   */
  private static final Set<String> NOT_RECORDED =
      Set.of("wait.back-off", "wait.back-off-cause", "wait.next");

  private static final String NEVER_PREFIX = "wait.never-";

  private final QueueContext queue;
  private final WaitingJobs waitingJobs;
  private final EventStore events;
  private final InstantSource clock;

  /**
   * Jobs that were waiting at the previous check, each with its version and whether an event was
   * written for this version.
   */
  private Map<JobId, CheckedJob> previousCheck = new HashMap<>();

  private record CheckedJob(long version, boolean recorded) {}

  WaitReasonRecorder(
      QueueContext queue, WaitingJobs waitingJobs, EventStore events, InstantSource clock) {
    this.queue = queue;
    this.waitingJobs = waitingJobs;
    this.events = events;
    this.clock = clock;
  }

  void recordDue() {
    Map<JobId, CheckedJob> currentCheck = new HashMap<>();
    List<WaitingJob> due = new ArrayList<>();
    waitingJobs.forEach(
        waitingJob -> {
          JobId job = waitingJob.job().id();
          CheckedJob previous = previousCheck.get(job);
          boolean unchanged = previous != null && previous.version() == waitingJob.version();
          boolean recorded = unchanged && previous.recorded();
          if (unchanged && !recorded && due.size() < MAX_PER_CHECK) {
            due.add(waitingJob);
            recorded = true;
          }
          currentCheck.put(job, new CheckedJob(waitingJob.version(), recorded));
        });
    previousCheck = currentCheck;
    if (!due.isEmpty()) {
      write(due);
    }
  }

  private void write(List<WaitingJob> due) {
    Map<JobId, Message> reasons =
        waitingJobs.explain(due.stream().map(it -> it.job().id()).toList());
    List<EventStore.JobWaitReason> waiting = new ArrayList<>();
    for (WaitingJob waitingJob : due) {
      Message reason = reasons.get(waitingJob.job().id());
      if (reason == null || NOT_RECORDED.contains(reason.code())) {
        previousCheck.put(waitingJob.job().id(), new CheckedJob(waitingJob.version(), false));
      } else {
        waiting.add(
            new EventStore.JobWaitReason(
                waitingJob.job().id(),
                waitingJob.version(),
                reason.code().startsWith(NEVER_PREFIX),
                Message.of("event.waiting", "reason", reason)));
      }
    }
    if (!waiting.isEmpty()) {
      try {
        queue.threads().execute(() -> store(waiting));
      } catch (RejectedExecutionException e) {
        LOG.debug("the queue is closed; the next start records the wait reasons");
      }
    }
  }

  private void store(List<EventStore.JobWaitReason> waiting) {
    try {
      queue
          .retryingDb()
          .write(
              handle -> {
                events.insertWaiting(handle, waiting, clock.instant());
                return null;
              });
      queue.records().notifyChanged(waiting.getFirst().job());
    } catch (QueueClosedException e) {
      LOG.debug("the queue is closed; the next start records the wait reasons");
    }
  }
}
