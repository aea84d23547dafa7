package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.StopCause;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The part of a job that changes.
 *
 * @param version incremented by every change; a change specifies the version on which it is based
 * @param attempt number of the newest attempt; 0 before the first attempt
 * @param started time at which the job started for the first time
 * @param stop the request that caused the job to be stopping, stopped or paused
 * @param reason how the job ended, or why the previous attempt of a waiting job failed. The reason
 *     why a job waits is not stored; only the queue knows it
 */
public record JobStatus(
    long version,
    JobState state,
    int attempt,
    Optional<Instant> started,
    Optional<Instant> ended,
    OptionalInt exitCode,
    Optional<StopRequest> stop,
    Optional<Message> reason,
    RetryState retries) {

  static JobStatus submitted() {
    return new JobStatus(
        1,
        JobState.WAITING,
        0,
        Optional.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        RetryState.FIRST);
  }

  public Optional<StopCause> stopCause() {
    return stop.map(StopRequest::cause);
  }

  public Optional<String> stoppedBy() {
    return stop.flatMap(StopRequest::by);
  }

  public JobStatus preparing() {
    return new JobStatus(
        version,
        JobState.PREPARING,
        attempt + 1,
        started,
        ended,
        exitCode,
        stop,
        Optional.empty(),
        retries.withoutBackoff(retries.cause()));
  }

  public JobStatus running(Instant now) {
    return new JobStatus(
        version,
        JobState.RUNNING,
        attempt,
        Optional.of(started.orElse(now)),
        ended,
        exitCode,
        stop,
        reason,
        retries);
  }

  public JobStatus stopping(StopRequest request) {
    return with(JobState.STOPPING, Optional.of(request), retries);
  }

  /**
   * Moves the job back to the queue for a retry, after the last attempt has ended.
   *
   * @param cause why the last attempt failed; empty if it succeeded
   */
  public JobStatus retryLater(RetryRule.Verdict.Retry retry, Optional<Message> cause, Instant now) {
    return new JobStatus(
        version,
        JobState.WAITING,
        attempt,
        started,
        ended,
        exitCode,
        Optional.empty(),
        cause,
        RetryState.after(retry, now));
  }

  /**
   * Moves the job back to the queue without a backoff, for a cause that does not count as a
   * failure.
   */
  public JobStatus requeue(AttemptCause cause) {
    return with(JobState.WAITING, Optional.empty(), retries.withoutBackoff(cause));
  }

  /** Pauses the job; the request contains the user who paused it. */
  public JobStatus paused(StopRequest request) {
    return with(JobState.PAUSED, Optional.of(request), retries.withoutBackoff(retries.cause()));
  }

  private JobStatus with(JobState newState, Optional<StopRequest> request, RetryState newRetries) {
    return new JobStatus(
        version, newState, attempt, started, ended, exitCode, request, reason, newRetries);
  }

  /** Stops a job that holds no resources. */
  public JobStatus stoppedWaiting(StopRequest request, Message endReason, Instant now) {
    return stopping(request)
        .ended(JobState.STOPPED, OptionalInt.empty(), Optional.of(endReason), now);
  }

  public JobStatus ended(
      JobState finalState, OptionalInt code, Optional<Message> endReason, Instant now) {
    return new JobStatus(
        version, finalState, attempt, started, Optional.of(now), code, stop, endReason, retries);
  }

  JobStatus withVersion(long newVersion) {
    return new JobStatus(
        newVersion, state, attempt, started, ended, exitCode, stop, reason, retries);
  }
}
