package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job in a list of thousands: only what such a list tells, as every column of every row takes its
 * time. The names mean what they do in {@link Job} and {@link JobStatus}.
 *
 * @param counted how many retries were the user's
 * @param conflicts how many attempts in a row met somebody else
 */
public record JobListItem(
    JobId id,
    String userName,
    String name,
    String virtualCluster,
    long devices,
    int taskCount,
    int roleCount,
    String priority,
    Instant submitted,
    JobState state,
    int attempt,
    Optional<Instant> started,
    Optional<Instant> ended,
    OptionalInt exitCode,
    Optional<StopCause> stopCause,
    int counted,
    int conflicts,
    Optional<Instant> notBefore,
    Duration backOff)
    implements JobInfo {

  /** As {@link RetryState#notBefore(Instant)}. */
  public Optional<Instant> notBefore(Instant now) {
    return RetryState.notBefore(notBefore, backOff, now);
  }
}
