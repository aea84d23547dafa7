package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job in a list of thousands. Contains only the columns that such a list shows, because reading
 * every column of every row takes time. The components have the same meaning as in {@link Job} and
 * {@link JobStatus}.
 *
 * @param counted number of retries that count against the retry limit
 * @param conflicts number of consecutive attempts that failed because of a conflict
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

  /** See {@link RetryState#notBefore(Instant)}. */
  public Optional<Instant> notBefore(Instant now) {
    return RetryState.notBefore(notBefore, backOff, now);
  }
}
