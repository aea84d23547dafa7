package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskResources;
import java.util.List;

/**
 * What a planner knows of a job. Ids grow with submission, so they are the order of arrival.
 *
 * @param gang whether all tasks start together; else each starts when there is room for it
 */
public record QueuedJob(
    JobId id, String user, String virtualCluster, List<Demand> roles, boolean gang) {
  /** Equal tasks and what each needs. */
  public record Demand(String role, int tasks, TaskResources each) {}

  public QueuedJob {
    roles = DemandList.copyOf(roles);
  }

  public QueuedJob(JobId id, String user, String virtualCluster, List<Demand> roles) {
    this(id, user, virtualCluster, roles, true);
  }

  int tasks() {
    return roles.stream().mapToInt(Demand::tasks).sum();
  }

  /** The same job with other needs. */
  QueuedJob with(List<Demand> others) {
    return new QueuedJob(id, user, virtualCluster, others, gang);
  }

  public static QueuedJob of(JobId id, String user, JobSpec spec) {
    return new QueuedJob(
        id,
        user,
        spec.virtualCluster(),
        spec.roles().stream()
            .map(role -> new Demand(role.name(), role.taskCount(), role.resources()))
            .toList(),
        spec.extras().gangAllocation());
  }
}
