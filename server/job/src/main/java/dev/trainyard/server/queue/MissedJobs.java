package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.job.Job;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds jobs that wait or are being stopped in the database and that the queue has not heard of:
 * the request that stored them failed after its COMMIT. Likewise finds jobs that the queue keeps as
 * waiting although they were stopped or paused. The queue has to differ at two consecutive looks,
 * because the news of a job that was just stored may still be in the inbox. Its methods belong to
 * the loop.
 */
final class MissedJobs {
  private static final Logger LOG = LoggerFactory.getLogger(MissedJobs.class);

  /** Number of ticks between two checks that have no specific cause. */
  private static final int RARELY = 12;

  private final QueueContext queue;
  private final Db db;
  private final WaitingJobs room;
  private final Map<JobId, AttemptRun> runs;
  private final Consumer<Runnable> inbox;
  private final Consumer<JobId> takeUp;
  private Set<JobId> suspects = Set.of();
  private long unknownOutcomes;
  private int ticks;
  private boolean underWay;

  /**
   * @param inbox runs something on the loop
   * @param runs the current attempts, by job
   * @param takeUp adds a job to the queue as it is now
   */
  MissedJobs(
      QueueContext queue,
      Db db,
      WaitingJobs room,
      Map<JobId, AttemptRun> runs,
      Consumer<Runnable> inbox,
      Consumer<JobId> takeUp) {
    this.queue = queue;
    this.db = db;
    this.room = room;
    this.runs = runs;
    this.inbox = inbox;
    this.takeUp = takeUp;
  }

  /** Looks if a write has ended with an unknown outcome, if jobs are suspected, or now and then. */
  void look() {
    ticks++;
    long unknown = db.unknownOutcomes();
    if (underWay || (unknown == unknownOutcomes && suspects.isEmpty() && ticks % RARELY != 0)) {
      return;
    }
    underWay = true;
    try {
      queue.threads().execute(() -> read(unknown));
    } catch (RejectedExecutionException e) {
      LOG.debug("the queue is closed; the next start reads all jobs");
    }
  }

  private void read(long unknown) {
    try {
      Map<JobId, JobState> found = db.read(queue.jobs()::listExpectant);
      inbox.accept(() -> compare(found, unknown));
    } catch (RuntimeException e) {
      LOG.debug("failed to read the jobs; the next tick retries", e);
      inbox.accept(() -> underWay = false);
    }
  }

  private void compare(Map<JobId, JobState> found, long unknown) {
    underWay = false;
    unknownOutcomes = unknown;
    Set<JobId> missed = new HashSet<>();
    found.forEach(
        (job, state) -> {
          if (!isKnown(job, state)) {
            missed.add(job);
          }
        });
    // A job that does not wait any more, because the request that stopped it failed.
    room.each(
        waiting -> {
          if (!found.containsKey(waiting.job().id())) {
            missed.add(waiting.job().id());
          }
        });
    for (JobId job : missed) {
      if (suspects.contains(job)) {
        LOG.info("job {} was changed by a request that failed; the queue reads it again", job);
        add(job);
      }
    }
    missed.removeAll(suspects);
    suspects = missed;
  }

  private boolean isKnown(JobId job, JobState state) {
    AttemptRun run = runs.get(job);
    return run == null ? room.contains(job) : state == JobState.WAITING || run.isStopping();
  }

  private void add(JobId id) {
    AttemptRun run = runs.get(id);
    if (run == null) {
      takeUp.accept(id);
      return;
    }
    try {
      Optional<Job> job = db.read(handle -> queue.jobs().find(handle, id));
      job.filter(it -> it.state() == JobState.STOPPING).ifPresent(it -> run.stop(it.status()));
    } catch (RuntimeException e) {
      LOG.debug("failed to read job {}; a later look retries", id, e);
    }
  }
}
