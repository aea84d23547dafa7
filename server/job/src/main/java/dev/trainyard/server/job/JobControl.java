package dev.trainyard.server.job;

import dev.trainyard.model.AppException;
import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.StopCause;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Stops, pauses and resumes existing jobs. Each request is committed before the queue is notified.
 * Thread-safe.
 */
final class JobControl {
  private static final int MAX_CONFLICTS = 100;

  /** Maximum number of jobs that are stopped in one transaction. */
  private static final int BATCH_SIZE = 100;

  private final Db db;
  private final JobStore jobs;
  private final AttemptStore attempts;
  private final JobQueue queue;
  private final JobChanges changes;
  private final InstantSource clock;
  private final Audit audit;

  JobControl(
      Db db,
      JobStore jobs,
      AttemptStore attempts,
      JobQueue queue,
      JobChanges changes,
      InstantSource clock) {
    this.db = db;
    this.jobs = jobs;
    this.attempts = attempts;
    this.queue = queue;
    this.changes = changes;
    this.clock = clock;
    this.audit = new Audit(clock);
  }

  private interface Transition {
    /** Returns the changed job; empty if the job was changed concurrently. */
    Optional<Job> apply(Handle handle, Job job);
  }

  /**
   * Applies a transition to the current version of the job, and retries if the job was changed
   * concurrently.
   */
  private Job applyWithRetries(Job knownJob, Transition transition) {
    for (int conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      Optional<Job> changed =
          db.write(
              handle ->
                  transition.apply(
                      handle,
                      jobs.find(handle, knownJob.id())
                          .orElseThrow(() -> JobService.notFound(knownJob))));
      if (changed.isPresent()) {
        return changed.get();
      }
    }
    throw new IllegalStateException("job " + knownJob.id() + " was changed concurrently too often");
  }

  /**
   * Returns a transition that also writes an audit record if the given transition changes the job.
   */
  private Transition withAudit(Caller caller, String action, Transition transition) {
    return (handle, job) -> {
      Optional<Job> changed = transition.apply(handle, job);
      changed
          .filter(changedJob -> changedJob.status().version() != job.status().version())
          .ifPresent(
              changedJob ->
                  audit.record(
                      handle,
                      Actor.of(caller),
                      action,
                      auditTarget(job),
                      auditView(job),
                      auditView(changedJob)));
      return changed;
    };
  }

  static String auditTarget(Job job) {
    return "job:" + job.userName() + "~" + job.name();
  }

  static Map<String, Object> auditView(Job job) {
    return Map.of("id", job.id().value(), "state", job.state().name());
  }

  /**
   * Requests that a job ends. A waiting or paused job ends immediately, any other job when its last
   * process has exited. A repeated request may shorten the grace period.
   */
  Job stop(Caller caller, Job knownJob, Optional<Duration> grace) {
    StopRequest request = new StopRequest(StopCause.USER, Optional.of(caller.userName()), grace);
    Message endReason = Message.of("end.stopped-by", "user", caller.userName());
    Transition transition = (handle, job) -> stop(handle, job, request, endReason);
    return notifyStop(applyWithRetries(knownJob, withAudit(caller, "job.stop", transition)));
  }

  /**
   * Result of stopping one of several jobs.
   *
   * @param rejection the error if the job was not stopped
   */
  record StopResult(Job job, Optional<AppException> rejection) {}

  /**
   * Like {@link #stop}, for many jobs. Stops running jobs first, because these take longest to end,
   * and changes many jobs in one transaction.
   *
   * @return results in the order of the jobs
   */
  List<StopResult> stopAll(Caller caller, List<Job> knownJobs, Optional<Duration> grace) {
    StopRequest request = new StopRequest(StopCause.USER, Optional.of(caller.userName()), grace);
    Message endReason = Message.of("end.stopped-by", "user", caller.userName());
    Transition transition =
        withAudit(caller, "job.stop", (handle, job) -> stop(handle, job, request, endReason));
    List<Job> runningFirst =
        knownJobs.stream()
            .sorted(Comparator.comparing((Job job) -> !job.state().holdsResources()))
            .toList();
    Map<JobId, StopResult> results = new HashMap<>();
    for (int from = 0; from < runningFirst.size(); from += BATCH_SIZE) {
      List<Job> batch =
          runningFirst.subList(from, Math.min(from + BATCH_SIZE, runningFirst.size()));
      List<Optional<StopResult>> batchResults =
          db.write(
              handle -> batch.stream().map(job -> tryTransition(handle, job, transition)).toList());
      // Notifies the queue now, because these stops are committed even if the next transaction
      // fails.
      batchResults.stream()
          .flatMap(Optional::stream)
          .filter(result -> result.rejection().isEmpty())
          .forEach(result -> notifyStop(result.job()));
      for (int i = 0; i < batch.size(); i++) {
        Job job = batch.get(i);
        results.put(job.id(), batchResults.get(i).orElseGet(() -> stopSeparately(job, transition)));
      }
    }
    return knownJobs.stream().map(job -> results.get(job.id())).toList();
  }

  private StopResult stopSeparately(Job job, Transition transition) {
    try {
      return new StopResult(notifyStop(applyWithRetries(job, transition)), Optional.empty());
    } catch (AppException e) {
      return new StopResult(job, Optional.of(e));
    }
  }

  /**
   * Applies a transition; returns empty if another transaction changed the job, so that this job
   * must be retried separately.
   */
  private Optional<StopResult> tryTransition(Handle handle, Job knownJob, Transition transition) {
    try {
      Job job = jobs.find(handle, knownJob.id()).orElseThrow(() -> JobService.notFound(knownJob));
      return transition
          .apply(handle, job)
          .map(changedJob -> new StopResult(changedJob, Optional.empty()));
    } catch (AppException e) {
      return Optional.of(new StopResult(knownJob, Optional.of(e)));
    }
  }

  private Optional<Job> stop(Handle handle, Job job, StopRequest request, Message endReason) {
    return switch (job.state()) {
      case WAITING, PAUSED ->
          jobs.change(
              handle, job, job.status().stoppedWaiting(request, endReason, clock.instant()));
      case PREPARING, RUNNING -> changeToStopping(handle, job, request);
      case STOPPING -> {
        StopRequest merged = merge(job.status().stop().orElseThrow(), request);
        yield merged.equals(job.status().stop().get())
            ? Optional.of(job)
            : jobs.change(handle, job, job.status().stopping(merged));
      }
      case SUCCEEDED, FAILED, STOPPED -> throw conflict("error.job-is-over", job);
    };
  }

  /**
   * Merges two stop requests. The cause of the earlier request is kept if the job ends because of
   * it, and replaced if the job would be paused or requeued.
   */
  private static StopRequest merge(StopRequest earlier, StopRequest later) {
    StopRequest decisive =
        switch (earlier.cause()) {
          case PAUSE, RETRY, PREEMPTION -> later;
          case USER, COMPLETION, WALL_TIME, IDLE -> earlier;
        };
    Optional<Duration> grace =
        earlier.grace().isPresent() && later.grace().isPresent()
            ? Optional.of(shorter(earlier.grace().get(), later.grace().get()))
            : later.grace().or(earlier::grace);
    return new StopRequest(decisive.cause(), decisive.by(), grace);
  }

  private static Duration shorter(Duration first, Duration second) {
    return first.compareTo(second) < 0 ? first : second;
  }

  private Optional<Job> changeToStopping(Handle handle, Job job, StopRequest request) {
    attempts.markStopping(handle, job.id(), job.status().attempt());
    return jobs.change(handle, job, job.status().stopping(request));
  }

  /**
   * Pauses a job. A paused job keeps its record and its position in the queue but holds no
   * resources.
   */
  Job pause(Caller caller, Job knownJob) {
    StopRequest request =
        new StopRequest(StopCause.PAUSE, Optional.of(caller.userName()), Optional.empty());
    Transition transition = (handle, job) -> pause(handle, job, request);
    return notifyStop(applyWithRetries(knownJob, withAudit(caller, "job.pause", transition)));
  }

  private Optional<Job> pause(Handle handle, Job job, StopRequest request) {
    return switch (job.state()) {
      case WAITING -> jobs.change(handle, job, job.status().paused(request));
      case PREPARING, RUNNING -> changeToStopping(handle, job, request);
      case STOPPING ->
          switch (job.status().stop().orElseThrow().cause()) {
            case PAUSE -> Optional.of(job);
            case RETRY, PREEMPTION -> jobs.change(handle, job, job.status().stopping(request));
            case USER, COMPLETION, WALL_TIME, IDLE -> throw conflict("error.job-is-ending", job);
          };
      case PAUSED -> Optional.of(job);
      case SUCCEEDED, FAILED, STOPPED -> throw conflict("error.job-is-over", job);
    };
  }

  /** Puts a paused job back into the queue, at its previous position. */
  Job resume(Caller caller, Job knownJob) {
    Message reason = Message.of("event.resumed-by", "user", caller.userName());
    Transition transition = (handle, currentJob) -> resume(handle, currentJob, reason);
    Job job = applyWithRetries(knownJob, withAudit(caller, "job.resume", transition));
    if (job.state() == JobState.WAITING) {
      new ConfigReader(db, jobs)
          .read(
              job,
              handle ->
                  jobs.findConfig(handle, job.id())
                      .map(config -> QueuedJob.of(job.id(), job.userName(), config.spec())))
          .ifPresent(queued -> queue.submitted(queued, job.status()));
    }
    changes.notifyListeners(job.id());
    return job;
  }

  private Optional<Job> resume(Handle handle, Job job, Message reason) {
    return switch (job.state()) {
      case PAUSED ->
          jobs.change(
              handle, job, job.status().requeue(resumeCause(job)), Optional.of(reason), List.of());
      case STOPPING ->
          throw conflict(
              job.status().stopCause().equals(Optional.of(StopCause.PAUSE))
                  ? "error.job-is-pausing"
                  : "error.job-is-ending",
              job);
      case WAITING, PREPARING, RUNNING -> throw conflict("error.job-not-paused", job);
      case SUCCEEDED, FAILED, STOPPED -> throw conflict("error.job-is-over", job);
    };
  }

  /** Returns FIRST if the job has never run, otherwise RESUME. */
  private static AttemptCause resumeCause(Job job) {
    return job.status().attempt() == 0 ? AttemptCause.FIRST : AttemptCause.RESUME;
  }

  /** Finishes a paused job so that it can be deleted. */
  Job abandon(Job knownJob) {
    StopRequest request = new StopRequest(StopCause.USER, Optional.empty(), Optional.empty());
    return notifyStop(
        applyWithRetries(
            knownJob,
            (handle, job) ->
                job.state() == JobState.PAUSED
                    ? stop(handle, job, request, Message.of("end.stopped"))
                    : Optional.of(job)));
  }

  private Job notifyStop(Job job) {
    queue.stopRequested(job.id(), job.status());
    changes.notifyListeners(job.id());
    return job;
  }

  private static AppException conflict(String code, Job job) {
    return new AppException(ErrorCode.CONFLICT, Message.of(code, "name", job.name()));
  }
}
