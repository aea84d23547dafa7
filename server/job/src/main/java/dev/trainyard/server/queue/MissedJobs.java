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
 * Finds jobs whose change the queue missed, because the request that changed the job failed after
 * its COMMIT. Such a job is either waiting or being stopped according to the database but not
 * according to the queue, or the queue keeps the job as waiting although the job was stopped or
 * paused. The queue is corrected only if two consecutive checks find the difference, because the
 * notification of a recent change may still be in the inbox. Only the queue thread calls the
 * methods of this class.
 */
final class MissedJobs {
  private static final Logger LOG = LoggerFactory.getLogger(MissedJobs.class);

  /** Number of ticks between two checks that have no specific cause. */
  private static final int TICKS_BETWEEN_CHECKS = 12;

  private final QueueContext queue;
  private final Db db;
  private final WaitingJobs waitingJobs;
  private final Map<JobId, AttemptRun> runs;
  private final Consumer<Runnable> inbox;
  private final Consumer<JobId> adopt;
  private Set<JobId> suspects = Set.of();
  private long lastUnknownOutcomes;
  private int ticks;
  private boolean checking;

  /**
   * @param inbox runs an action on the queue thread
   * @param runs the current attempts, by job
   * @param adopt adds a job to the queue in its current state
   */
  MissedJobs(
      QueueContext queue,
      Db db,
      WaitingJobs waitingJobs,
      Map<JobId, AttemptRun> runs,
      Consumer<Runnable> inbox,
      Consumer<JobId> adopt) {
    this.queue = queue;
    this.db = db;
    this.waitingJobs = waitingJobs;
    this.runs = runs;
    this.inbox = inbox;
    this.adopt = adopt;
  }

  /**
   * Starts a check if a write ended with an unknown outcome, if there are suspected jobs, or if the
   * long interval has passed.
   */
  void check() {
    ticks++;
    long unknownCount = db.unknownOutcomes();
    if (checking
        || (unknownCount == lastUnknownOutcomes
            && suspects.isEmpty()
            && ticks % TICKS_BETWEEN_CHECKS != 0)) {
      return;
    }
    checking = true;
    try {
      queue.threads().execute(() -> read(unknownCount));
    } catch (RejectedExecutionException e) {
      LOG.debug("the queue is closed; the next start reads all jobs");
    }
  }

  private void read(long unknownCount) {
    try {
      Map<JobId, JobState> storedStates = db.read(queue.jobs()::listForQueue);
      inbox.accept(() -> compare(storedStates, unknownCount));
    } catch (RuntimeException e) {
      LOG.debug("failed to read the jobs; the next tick retries", e);
      inbox.accept(() -> checking = false);
    }
  }

  private void compare(Map<JobId, JobState> storedStates, long unknownCount) {
    checking = false;
    lastUnknownOutcomes = unknownCount;
    Set<JobId> missed = new HashSet<>();
    storedStates.forEach(
        (job, state) -> {
          if (!isKnown(job, state)) {
            missed.add(job);
          }
        });
    // Also finds jobs that are no longer waiting, because the request that stopped them failed
    // after its COMMIT.
    waitingJobs.forEach(
        waiting -> {
          if (!storedStates.containsKey(waiting.job().id())) {
            missed.add(waiting.job().id());
          }
        });
    for (JobId job : missed) {
      if (suspects.contains(job)) {
        LOG.info("job {} was changed by a request that failed; the queue reads it again", job);
        addOrStop(job);
      }
    }
    missed.removeAll(suspects);
    suspects = missed;
  }

  private boolean isKnown(JobId job, JobState state) {
    AttemptRun run = runs.get(job);
    return run == null ? waitingJobs.contains(job) : state == JobState.WAITING || run.isStopping();
  }

  private void addOrStop(JobId id) {
    AttemptRun run = runs.get(id);
    if (run == null) {
      adopt.accept(id);
      return;
    }
    try {
      Optional<Job> job = db.read(handle -> queue.jobs().find(handle, id));
      job.filter(it -> it.state() == JobState.STOPPING).ifPresent(it -> run.stop(it.status()));
    } catch (RuntimeException e) {
      LOG.debug("failed to read job {}; a later check retries", id, e);
    }
  }
}
