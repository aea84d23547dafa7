package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskResources;
import java.util.List;

/** What a planner knows of a job. Ids grow with submission, so they are the order of arrival. */
public record QueuedJob(JobId id, String user, String virtualCluster, List<Demand> roles) {
  /** Equal tasks and what each needs. */
  public record Demand(String role, int tasks, TaskResources each) {}

  public QueuedJob {
    roles = List.copyOf(roles);
  }

  public static QueuedJob of(JobId id, String user, JobSpec spec) {
    return new QueuedJob(
        id,
        user,
        spec.virtualCluster(),
        spec.roles().stream()
            .map(role -> new Demand(role.name(), role.taskCount(), role.resources()))
            .toList());
  }
}
