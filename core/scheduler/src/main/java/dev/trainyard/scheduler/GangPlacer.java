package dev.trainyard.scheduler;

import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Places all tasks of a job at once, or none. */
final class GangPlacer {
  /**
   * Orders demands by difficulty of placement: first those that request a device type, then the
   * largest.
   */
  private static final Comparator<Demand> HARDEST_FIRST =
      Comparator.comparing((Demand demand) -> isChoosy(demand.each()))
          .thenComparingInt(demand -> demand.each().devices())
          .thenComparing(demand -> demand.each().memory())
          .thenComparingInt(demand -> demand.each().cpus())
          .reversed();

  private GangPlacer() {}

  /**
   * Returns a placement for every task, in the order of the job's roles. Consumes the given free
   * resources: after a failure their contents are undefined. Fills the nodes one after the other,
   * those with the fewest free devices first, so that whole nodes stay free for tasks that need
   * them. This heuristic almost always finds a placement if one exists, but a failure does not
   * prove that there is none.
   */
  static Optional<List<TaskPlacement>> place(QueuedJob job, List<NodeFreeResources> free) {
    Map<String, List<TaskPlacement>> placed = new HashMap<>();
    for (Demand demand : job.roles().stream().sorted(HARDEST_FIRST).toList()) {
      List<TaskPlacement> tasks = place(demand, free);
      if (tasks.size() < demand.tasks()) {
        return Optional.empty();
      }
      placed.put(demand.role(), tasks);
    }
    List<TaskPlacement> all = new ArrayList<>();
    job.roles().forEach(demand -> all.addAll(placed.get(demand.role())));
    return Optional.of(all);
  }

  /**
   * Returns placements for as many tasks of a job without gang scheduling as fit, in the order of
   * its roles, and deducts them from the given free resources.
   *
   * @param placedTasks the tasks that are not part of the rest
   */
  static List<TaskPlacement> placeSome(
      QueuedJob rest, PlacedTasks placedTasks, List<NodeFreeResources> free) {
    List<TaskPlacement> all = new ArrayList<>();
    for (Demand demand : rest.roles()) {
      int index = placedTasks.next(demand.role(), 0);
      for (TaskPlacement task : place(demand, free)) {
        all.add(
            new TaskPlacement(task.role(), index, task.node(), task.resources(), task.devices()));
        index = placedTasks.next(demand.role(), index + 1);
      }
    }
    return all;
  }

  private static List<TaskPlacement> place(Demand demand, List<NodeFreeResources> free) {
    List<TaskPlacement> tasks = new ArrayList<>();
    List<NodeFreeResources> tightestFirst = new ArrayList<>(free);
    tightestFirst.sort(Comparator.comparingInt(NodeFreeResources::devices));
    for (NodeFreeResources nodeFreeResources : tightestFirst) {
      while (tasks.size() < demand.tasks()) {
        Optional<List<Integer>> devices = nodeFreeResources.take(demand.each());
        if (devices.isEmpty()) {
          break;
        }
        tasks.add(
            new TaskPlacement(
                demand.role(),
                tasks.size(),
                nodeFreeResources.node(),
                demand.each(),
                devices.get()));
      }
    }
    return tasks;
  }

  private static boolean isChoosy(TaskResources each) {
    return each.devices() > 0 && !each.deviceType().isEmpty();
  }
}
