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
 * @param version grows with every change; a change names the version it was based on
 * @param attempt the newest, 0 before the first
 * @param started the first time
 * @param stop that it shall end, or was put aside, and by whose wish
 * @param reason how it ended; why it waits is known to the queue only
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
        reason,
        retries.atOnce(retries.cause()));
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

  public JobStatus stopping(StopRequest order) {
    return with(JobState.STOPPING, Optional.of(order), retries);
  }

  /** Back in the queue because of how the last attempt ended. */
  public JobStatus again(RetryRule.Verdict.Again again, Instant now) {
    return with(JobState.WAITING, Optional.empty(), RetryState.after(again, now));
  }

  /** Back in the queue, and nobody is to blame. */
  public JobStatus againAtOnce(AttemptCause cause) {
    return with(JobState.WAITING, Optional.empty(), retries.atOnce(cause));
  }

  /** Put aside; the order says by whom. */
  public JobStatus paused(StopRequest order) {
    return with(JobState.PAUSED, Optional.of(order), retries.atOnce(retries.cause()));
  }

  private JobStatus with(JobState newState, Optional<StopRequest> order, RetryState newRetries) {
    return new JobStatus(
        version, newState, attempt, started, ended, exitCode, order, reason, newRetries);
  }

  /** A job that ends while it holds nothing. */
  public JobStatus stoppedWaiting(StopRequest order, Message why, Instant now) {
    return stopping(order).ended(JobState.STOPPED, OptionalInt.empty(), Optional.of(why), now);
  }

  public JobStatus ended(JobState end, OptionalInt code, Optional<Message> why, Instant now) {
    return new JobStatus(
        version, end, attempt, started, Optional.of(now), code, stop, why, retries);
  }

  JobStatus withVersion(long newVersion) {
    return new JobStatus(
        newVersion, state, attempt, started, ended, exitCode, stop, reason, retries);
  }
}
