package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits the ports that the running tasks of one job may request in total. A job with gang
 * scheduling is rejected at submission if it exceeds the limit; a job without it runs fewer tasks
 * at a time.
 */
final class PortLimit {
  private int most = Integer.MAX_VALUE;

  void change(int mostPorts) {
    most = mostPorts;
  }

  /**
   * Returns the tasks of a job that may start under the port limit. If no task of the job runs, one
   * may always start, because the limit may have been lowered since the job was submitted.
   *
   * @param rest the tasks of the job that are not placed
   * @param held the placements of its other tasks
   */
  QueuedJob within(QueuedJob job, QueuedJob rest, Collection<TaskPlacement> held) {
    if (job.gang() || rest.roles().stream().allMatch(demand -> demand.ports() == 0)) {
      return rest;
    }
    long left = most - used(job, held);
    boolean none = held.isEmpty();
    List<Demand> allowed = new ArrayList<>();
    for (Demand demand : rest.roles()) {
      int tasks = demand.tasks();
      if (demand.ports() > 0) {
        long fitting = Math.max(left / demand.ports(), none && allowed.isEmpty() ? 1 : 0);
        tasks = (int) Math.min(tasks, fitting);
      }
      if (tasks > 0) {
        allowed.add(demand.with(tasks));
        left = Math.max(0, left - (long) tasks * demand.ports());
      }
    }
    return rest.with(allowed);
  }

  /** Returns the reason why none of the rest may start. */
  Message reason(QueuedJob job, QueuedJob rest, Collection<TaskPlacement> held) {
    return Message.of("wait.job-ports", "ports", rest.roles().getFirst().ports())
        .with("used", used(job, held))
        .with("most", most);
  }

  private static long used(QueuedJob job, Collection<TaskPlacement> held) {
    Map<String, Integer> ports = new HashMap<>();
    job.roles().forEach(demand -> ports.put(demand.role(), demand.ports()));
    return held.stream().mapToLong(place -> ports.getOrDefault(place.role(), 0)).sum();
  }
}
