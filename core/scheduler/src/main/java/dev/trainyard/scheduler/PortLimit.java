package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits the total number of ports that the running tasks of one job may request. A job with gang
 * scheduling that exceeds the limit is rejected at submission; a job without gang scheduling runs
 * fewer tasks at a time.
 */
final class PortLimit {
  private int maxPorts = Integer.MAX_VALUE;

  void setMaxPorts(int newMaxPorts) {
    maxPorts = newMaxPorts;
  }

  /**
   * Returns the tasks of a job that may start under the port limit. If no task of the job runs, one
   * task may always start, because the limit may have been lowered after the job was submitted.
   *
   * @param remainder the tasks of the job that are not placed
   * @param placements the placements of its other tasks
   */
  QueuedJob allowedPart(QueuedJob job, QueuedJob remainder, Collection<TaskPlacement> placements) {
    if (job.gang() || remainder.roles().stream().allMatch(demand -> demand.ports() == 0)) {
      return remainder;
    }
    long remainingPorts = maxPorts - usedPorts(job, placements);
    boolean noTaskRuns = placements.isEmpty();
    List<Demand> allowedDemands = new ArrayList<>();
    for (Demand demand : remainder.roles()) {
      int tasks = demand.tasks();
      if (demand.ports() > 0) {
        long maxTasks =
            Math.max(
                remainingPorts / demand.ports(), noTaskRuns && allowedDemands.isEmpty() ? 1 : 0);
        tasks = (int) Math.min(tasks, maxTasks);
      }
      if (tasks > 0) {
        allowedDemands.add(demand.with(tasks));
        remainingPorts = Math.max(0, remainingPorts - (long) tasks * demand.ports());
      }
    }
    return remainder.with(allowedDemands);
  }

  /** Returns the reason why no further task may start. */
  Message reason(QueuedJob job, QueuedJob remainder, Collection<TaskPlacement> placements) {
    return Message.of("wait.job-ports", "ports", remainder.roles().getFirst().ports())
        .with("used", usedPorts(job, placements))
        .with("most", maxPorts);
  }

  private static long usedPorts(QueuedJob job, Collection<TaskPlacement> placements) {
    Map<String, Integer> ports = new HashMap<>();
    job.roles().forEach(demand -> ports.put(demand.role(), demand.ports()));
    return placements.stream()
        .mapToLong(placement -> ports.getOrDefault(placement.role(), 0))
        .sum();
  }
}
