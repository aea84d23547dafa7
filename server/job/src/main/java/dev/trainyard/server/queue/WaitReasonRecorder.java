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
 * Writes down why jobs wait that have been waiting since the last look: once for each attempt, as
 * the reason may change with every plan, and only a few each time, so that a long queue costs
 * little. What was told in an earlier life of the server is not told again, which the database sees
 * to. Its method belongs to the loop.
 */
final class WaitReasonRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(WaitReasonRecorder.class);
  private static final int EACH_TIME = 200;

  /** Said when the attempt before ended, or not worth saying. */
  private static final Set<String> UNTOLD = Set.of("wait.back-off", "wait.next");

  private static final String NEVER = "wait.never-";

  private final QueueContext queue;
  private final WaitingJobs room;
  private final EventStore events;
  private final InstantSource clock;

  /** Those that waited at the last look, with the version for which they were told or not yet. */
  private Map<JobId, Seen> seen = new HashMap<>();

  private record Seen(long version, boolean told) {}

  WaitReasonRecorder(QueueContext queue, WaitingJobs room, EventStore events, InstantSource clock) {
    this.queue = queue;
    this.room = room;
    this.events = events;
    this.clock = clock;
  }

  void look() {
    Map<JobId, Seen> now = new HashMap<>();
    List<WaitingJob> due = new ArrayList<>();
    room.each(
        waitingJob -> {
          JobId job = waitingJob.job().id();
          Seen before = seen.get(job);
          boolean same = before != null && before.version() == waitingJob.version();
          boolean told = same && before.told();
          if (same && !told && due.size() < EACH_TIME) {
            due.add(waitingJob);
            told = true;
          }
          now.put(job, new Seen(waitingJob.version(), told));
        });
    seen = now;
    if (!due.isEmpty()) {
      write(due);
    }
  }

  private void write(List<WaitingJob> due) {
    Map<JobId, Message> reasons = room.explain(due.stream().map(it -> it.job().id()).toList());
    List<EventStore.Waiting> waiting = new ArrayList<>();
    for (WaitingJob waitingJob : due) {
      Message why = reasons.get(waitingJob.job().id());
      if (why == null || UNTOLD.contains(why.code())) {
        seen.put(waitingJob.job().id(), new Seen(waitingJob.version(), false));
      } else {
        waiting.add(
            new EventStore.Waiting(
                waitingJob.job().id(),
                waitingJob.version(),
                why.code().startsWith(NEVER),
                Message.of("event.waiting", "reason", why)));
      }
    }
    if (!waiting.isEmpty()) {
      try {
        queue.threads().execute(() -> store(waiting));
      } catch (RejectedExecutionException e) {
        LOG.debug("the queue is closed; the next life tells it");
      }
    }
  }

  private void store(List<EventStore.Waiting> waiting) {
    try {
      queue
          .retryingDb()
          .write(
              handle -> {
                events.insertWaiting(handle, waiting, clock.instant());
                return null;
              });
      queue.records().changed(waiting.getFirst().job());
    } catch (QueueClosedException e) {
      LOG.debug("the queue is closed; the next life tells it");
    }
  }
}
