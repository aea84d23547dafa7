package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskResources;
import java.util.List;

/**
 * The properties of a job that a planner uses. IDs increase with submission, so their order is the
 * order of arrival.
 *
 * @param gang whether all tasks start together; if not, each task starts as soon as it fits
 */
public record QueuedJob(
    JobId id, String user, String virtualCluster, List<Demand> roles, boolean gang) {
  /**
   * A number of equal tasks and the resources that each task needs.
   *
   * @param ports number of ports that each task requests
   */
  public record Demand(String role, int tasks, TaskResources each, int ports) {
    public Demand(String role, int tasks, TaskResources each) {
      this(role, tasks, each, 0);
    }

    /** Returns a copy with another number of tasks. */
    Demand with(int newTasks) {
      return new Demand(role, newTasks, each, ports);
    }
  }

  public QueuedJob {
    roles = DemandList.copyOf(roles);
  }

  public QueuedJob(JobId id, String user, String virtualCluster, List<Demand> roles) {
    this(id, user, virtualCluster, roles, true);
  }

  int tasks() {
    return roles.stream().mapToInt(Demand::tasks).sum();
  }

  /** Returns a copy with other demands. */
  QueuedJob with(List<Demand> newRoles) {
    return new QueuedJob(id, user, virtualCluster, newRoles, gang);
  }

  public static QueuedJob of(JobId id, String user, JobSpec spec) {
    return new QueuedJob(
        id,
        user,
        spec.virtualCluster(),
        spec.roles().stream()
            .map(role -> new Demand(role.name(), role.taskCount(), role.resources(), ports(role)))
            .toList(),
        spec.extras().gangAllocation());
  }

  private static int ports(RoleSpec role) {
    long ports = 0;
    for (PortRequest request : role.ports()) {
      ports += request.count();
    }
    return (int) Math.min(ports, Integer.MAX_VALUE);
  }
}
