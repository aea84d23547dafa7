package dev.trainyard.scheduler;

import dev.trainyard.scheduler.QueueEvent.TaskName;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which tasks of a job without a gang have or had their place. All others wait for one. */
final class PlacedTasks {
  private static final BitSet NONE = new BitSet();

  private final Map<String, BitSet> placed = new HashMap<>();

  void place(String role, int index) {
    placed.computeIfAbsent(role, _ -> new BitSet()).set(index);
  }

  void again(TaskName task) {
    placed.getOrDefault(task.role(), NONE).clear(task.index());
  }

  /** What of the job waits. */
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

  /** The index of the first task of a role that waits, from an index on. */
  int next(String role, int from) {
    return placed.getOrDefault(role, NONE).nextClearBit(from);
  }
}
