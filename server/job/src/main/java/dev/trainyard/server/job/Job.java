package dev.trainyard.server.job;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A stored job without its file.
 *
 * @param cpus total CPUs of all tasks; {@code memory} and {@code devices} are totals too
 * @param priority the priority class that the job file requests, such as {@code prod}; empty if
 *     none
 */
public record Job(
    JobId id,
    String userId,
    String userName,
    String name,
    JobFormat format,
    String image,
    String virtualCluster,
    long cpus,
    DataSize memory,
    long devices,
    int taskCount,
    int roleCount,
    String priority,
    Instant submitted,
    JobStatus status)
    implements JobInfo {

  /**
   * Largest memory size that can be expressed in bytes. A job that requests more memory never fits
   * anyway.
   */
  private static final long MAX_MEGABYTES = Long.MAX_VALUE >> 20;

  static Job submitted(JobId id, String userId, String userName, JobSpec spec, Instant now) {
    long cpus = 0;
    long megabytes = 0;
    long devices = 0;
    for (var role : spec.roles()) {
      cpus += (long) role.taskCount() * role.resources().cpus();
      megabytes += role.taskCount() * role.resources().memory().megabytes();
      devices += (long) role.taskCount() * role.resources().devices();
    }
    return new Job(
        id,
        userId,
        userName,
        spec.name(),
        spec.format(),
        spec.image(),
        spec.virtualCluster(),
        cpus,
        DataSize.ofMegabytes(Math.min(megabytes, MAX_MEGABYTES)),
        devices,
        spec.taskCount(),
        spec.roles().size(),
        spec.extras().priorityClass(),
        now,
        JobStatus.submitted());
  }

  /** Returns the text that {@link JobSearch#keyword} is matched against. */
  String searchText() {
    return (userName + "/" + name + "/" + virtualCluster).toLowerCase(Locale.ROOT);
  }

  @Override
  public JobState state() {
    return status.state();
  }

  @Override
  public Optional<StopCause> stopCause() {
    return status.stopCause();
  }

  @Override
  public OptionalInt exitCode() {
    return status.exitCode();
  }

  public Job with(JobStatus newStatus) {
    return new Job(
        id,
        userId,
        userName,
        name,
        format,
        image,
        virtualCluster,
        cpus,
        memory,
        devices,
        taskCount,
        roleCount,
        priority,
        submitted,
        newStatus);
  }
}
