package dev.trainyard.scheduler;

import dev.trainyard.scheduler.QueueEvent.TaskName;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tasks of a job without gang scheduling that are or were placed. All others wait for a placement.
 */
final class PlacedTasks {
  private static final BitSet NONE = new BitSet();

  private final Map<String, BitSet> placed = new HashMap<>();

  void place(String role, int index) {
    placed.computeIfAbsent(role, _ -> new BitSet()).set(index);
  }

  void again(TaskName task) {
    placed.getOrDefault(task.role(), NONE).clear(task.index());
  }

  /** Returns the part of the job that waits. */
  QueuedJob rest(QueuedJob job) {
    List<Demand> left = new ArrayList<>();
    for (Demand demand : job.roles()) {
      int tasks = demand.tasks() - placed.getOrDefault(demand.role(), NONE).cardinality();
      if (tasks > 0) {
        left.add(demand.with(tasks));
      }
    }
    return job.with(left);
  }

  /** Returns the index of the first waiting task of a role, starting at an index. */
  int next(String role, int from) {
    return placed.getOrDefault(role, NONE).nextClearBit(from);
  }
}
