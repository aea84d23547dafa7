package dev.trainyard.scheduler;

import dev.trainyard.scheduler.QueueEvent.TaskName;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks which tasks of a job without gang scheduling have been placed, including finished tasks.
 * All other tasks wait for a placement.
 */
final class PlacedTasks {
  private static final BitSet NONE = new BitSet();

  private final Map<String, BitSet> placedIndices = new HashMap<>();

  void place(String role, int index) {
    placedIndices.computeIfAbsent(role, _ -> new BitSet()).set(index);
  }

  void requeue(TaskName task) {
    placedIndices.getOrDefault(task.role(), NONE).clear(task.index());
  }

  /** Returns the part of the job that waits for a placement. */
  QueuedJob remainder(QueuedJob job) {
    List<Demand> remainingDemands = new ArrayList<>();
    for (Demand demand : job.roles()) {
      int tasks = demand.tasks() - placedIndices.getOrDefault(demand.role(), NONE).cardinality();
      if (tasks > 0) {
        remainingDemands.add(demand.with(tasks));
      }
    }
    return job.with(remainingDemands);
  }

  /**
   * Returns the index of the first task of a role, from the given index on, that waits for a
   * placement.
   */
  int nextUnplaced(String role, int from) {
    return placedIndices.getOrDefault(role, NONE).nextClearBit(from);
  }
}
