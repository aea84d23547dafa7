package dev.trainyard.server.job;

import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.StopCause;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The part of a job that changes.
 *
 * @param version grows with every change; a change names the version it was based on
 * @param attempt the newest, 0 before the first
 * @param stoppedBy name of the user who asked for the end
 * @param reason how it ended; why it waits is known to the queue only
 */
public record JobStatus(
    long version,
    JobState state,
    int attempt,
    Optional<Instant> started,
    Optional<Instant> ended,
    OptionalInt exitCode,
    Optional<StopCause> stopCause,
    Optional<String> stoppedBy,
    Optional<Message> reason) {

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
        Optional.empty());
  }

  public JobStatus preparing() {
    return new JobStatus(
        version,
        JobState.PREPARING,
        attempt + 1,
        started,
        ended,
        exitCode,
        stopCause,
        stoppedBy,
        reason);
  }

  public JobStatus running(Instant now) {
    return new JobStatus(
        version,
        JobState.RUNNING,
        attempt,
        Optional.of(started.orElse(now)),
        ended,
        exitCode,
        stopCause,
        stoppedBy,
        reason);
  }

  public JobStatus stopping(StopCause cause, Optional<String> by) {
    return new JobStatus(
        version,
        JobState.STOPPING,
        attempt,
        started,
        ended,
        exitCode,
        Optional.of(cause),
        by,
        reason);
  }

  /** A job that ends before it ran at all. */
  public JobStatus stoppedWaiting(Optional<String> by, Message why, Instant now) {
    return stopping(StopCause.USER, by)
        .ended(JobState.STOPPED, OptionalInt.empty(), Optional.of(why), now);
  }

  public JobStatus ended(JobState end, OptionalInt code, Optional<Message> why, Instant now) {
    return new JobStatus(
        version, end, attempt, started, Optional.of(now), code, stopCause, stoppedBy, why);
  }

  JobStatus withVersion(long newVersion) {
    return new JobStatus(
        newVersion, state, attempt, started, ended, exitCode, stopCause, stoppedBy, reason);
  }
}
