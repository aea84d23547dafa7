package dev.trainyard.server.queue;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.CompletionRule.EndedTask;
import dev.trainyard.model.CompletionRule.Outcome;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.RetryRule.Verdict;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.diagnosis.Diagnosis;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.StopRequest;
import dev.trainyard.server.job.TaskDiagnosis;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Outcome of an attempt, which determines the next status of its job. Has no side effects.
 *
 * @param end the outcome in the form in which it is stored
 * @param decisive the task that decided the outcome; if no single task did, the last task that
 *     ended
 * @param diagnosis diagnosis of the decisive task's end
 * @param spread a number that differs between jobs, so that two jobs that failed together are not
 *     retried at the same time
 * @param allSucceeded whether every task succeeded
 * @param last the task that ended most recently
 */
record AttemptOutcome(
    JobSpec spec,
    AttemptEnd end,
    EndedTask decisive,
    Diagnosis diagnosis,
    int spread,
    boolean allSucceeded,
    EndedTask last) {

  private static final int SPREAD_RANGE = 100;

  /**
   * @param taskDiagnosis diagnosis of the task that caused the attempt to fail
   */
  static AttemptOutcome of(
      Job job,
      JobSpec spec,
      Outcome outcome,
      AttemptTasks.Progress progress,
      Optional<TaskDiagnosis> taskDiagnosis) {
    EndedTask last = progress.lastEnded().orElseThrow();
    EndedTask decisive = outcome.decisive().orElse(last);
    // A job that succeeds has exit code 0, even if it allows failed tasks and some tasks failed.
    AttemptEnd end =
        outcome.succeeded()
            ? new AttemptEnd(
                true, OptionalInt.of(0), Optional.of(Message.of("end.succeeded")), Optional.empty())
            : new AttemptEnd(
                false,
                OptionalInt.of(decisive.end().exitCode()),
                Optional.of(endMessage(spec, decisive)),
                taskDiagnosis.filter(_ -> decisive.end().reason() != ExitReason.STOPPED));
    return new AttemptOutcome(
        spec,
        end,
        decisive,
        taskDiagnosis.map(TaskDiagnosis::diagnosis).orElseGet(() -> Diagnosis.of(decisive.end())),
        Math.floorMod(job.id().value().hashCode() + job.status().attempt(), SPREAD_RANGE),
        progress.allSucceeded(),
        last);
  }

  static Message endMessage(JobSpec spec, EndedTask task) {
    TaskEnd end = task.end();
    Message message =
        switch (end.reason()) {
          case SUCCEEDED -> Message.of("end.succeeded");
          case COMMAND_FAILED ->
              end.detail().isEmpty()
                  ? Message.of("end.exit-code", "exitCode", end.exitCode())
                  : Message.of("end.exit-code-detail", "exitCode", end.exitCode())
                      .with("detail", end.detail());
          case KILLED_BY_SIGNAL -> Message.of("end.signal", "signal", end.exitCode() - 128);
          case OUT_OF_MEMORY ->
              Message.of(
                  "end.out-of-memory",
                  "memoryMB",
                  spec.role(task.role()).resources().memory().megabytes());
          case DISK_FULL -> Message.of("end.disk-full");
          case STOPPED -> Message.of("end.stopped");
          case START_FAILED, START_REFUSED ->
              Message.of("end.start-failed")
                  .with("detail", end.message().isPresent() ? end.message().get() : end.detail());
          case SUPERVISOR_LOST -> Message.of("end.supervisor-lost");
          case NODE_LOST -> Message.of("end.node-lost");
        };
    if (spec.taskCount() == 1 || message.code().equals("end.succeeded")) {
      return message;
    }
    return new Message(message.code() + ".task", message.params())
        .with("task", task.role() + "-" + task.index());
  }

  /**
   * Returns the request that stops the remaining tasks once the outcome of the attempt is decided.
   */
  StopRequest stopRequestForRemainingTasks(JobStatus status, Duration runTime) {
    return StopRequest.ofPlatform(
        verdict(status, runTime) instanceof Verdict.Retry ? StopCause.RETRY : StopCause.COMPLETION);
  }

  private Verdict verdict(JobStatus status, Duration runTime) {
    boolean isGang = spec.extras().gangAllocation();
    if (!isGang && !end.succeeded() && diagnosis.reaction() == RetryBehavior.FREE) {
      // The task was already retried individually as often as allowed.
      return new Verdict.GiveUp(RetryRule.MAX_PLATFORM_FAILURES);
    }
    int taskRetries = isGang ? spec.role(decisive.role()).taskRetryCount() : 0;
    return RetryRule.decide(
        new RetryRule.Limits(spec.retryCount(), taskRetries),
        new RetryRule.AttemptResult(
            end.succeeded(),
            !isGang && diagnosis.reaction() == RetryBehavior.BACK_OFF
                ? RetryBehavior.COUNTED
                : diagnosis.reaction(),
            decisive.role() + "-" + decisive.index(),
            countedRunTime(diagnosis, runTime),
            spread),
        status.retries().past());
  }

  /**
   * Returns the run time that is used to decide whether a new series of failures begins. The result
   * is zero if a free retry is based only on a log, because a user who controls the log could
   * otherwise get an unlimited number of free retries.
   */
  static Duration countedRunTime(Diagnosis diagnosis, Duration runTime) {
    return diagnosis.isFromLog() && diagnosis.reaction() == RetryBehavior.FREE
        ? Duration.ZERO
        : runTime;
  }

  /**
   * Returns the next status of the job; called when no task is left. A stopped job becomes STOPPED
   * unless all of its tasks succeeded before the stop took effect. A paused job becomes PAUSED
   * unless the attempt succeeded. Neither exception applies to a job that is restarted after every
   * attempt, because success does not finish such a job.
   */
  JobStatus next(JobStatus status, Duration runTime, Instant now) {
    Optional<StopCause> cause =
        status.state() == JobState.STOPPING ? status.stopCause() : Optional.empty();
    if (cause.isEmpty()) {
      return statusWithoutStop(status, runTime, now);
    }
    return switch (cause.get()) {
      case COMPLETION, RETRY -> statusWithoutStop(status, runTime, now);
      case USER, WALL_TIME, IDLE ->
          allSucceeded && !isEndless() ? endedStatus(status, now) : stoppedStatus(status, now);
      case PAUSE ->
          end.succeeded() && !isEndless()
              ? endedStatus(status, now)
              : status.paused(status.stop().orElseThrow());
      case PREEMPTION ->
          allSucceeded
              ? statusWithoutStop(status, runTime, now)
              : status.requeue(AttemptCause.PREEMPTION);
    };
  }

  /** Returns whether the job is restarted after every attempt, even a successful one. */
  private boolean isEndless() {
    return spec.retryCount() == RetryRule.ALWAYS;
  }

  private JobStatus statusWithoutStop(JobStatus status, Duration runTime, Instant now) {
    return switch (verdict(status, runTime)) {
      case Verdict.NoRetry() -> endedStatus(status, now);
      case Verdict.Retry retry ->
          status.retryLater(retry, end.succeeded() ? Optional.empty() : end.reason(), now);
      case Verdict.GiveUp(int faults) ->
          status.ended(
              JobState.FAILED,
              end.exitCode(),
              Optional.of(
                  Message.of("end.hopeless", "faults", faults)
                      .with("last", end.reason().orElse(Message.of("end.stopped")))),
              now);
    };
  }

  private JobStatus endedStatus(JobStatus status, Instant now) {
    return status.ended(
        end.succeeded() ? JobState.SUCCEEDED : JobState.FAILED, end.exitCode(), end.reason(), now);
  }

  private JobStatus stoppedStatus(JobStatus status, Instant now) {
    Message reason =
        status
            .stoppedBy()
            .map(user -> Message.of("end.stopped-by", "user", user))
            .orElse(Message.of("end.stopped"));
    return status.ended(
        JobState.STOPPED, OptionalInt.of(last.end().exitCode()), Optional.of(reason), now);
  }
}
