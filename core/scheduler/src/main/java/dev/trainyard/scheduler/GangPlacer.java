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
  /** The hardest to place first: those that want certain cards, then the biggest. */
  private static final Comparator<Demand> HARDEST_FIRST =
      Comparator.comparing((Demand demand) -> isChoosy(demand.each()))
          .thenComparingInt(demand -> demand.each().devices())
          .thenComparing(demand -> demand.each().memory())
          .thenComparingInt(demand -> demand.each().cpus())
          .reversed();

  private GangPlacer() {}

  /**
   * A place for every task, in the order of the job's roles. The rooms are used up: on failure they
   * are worth nothing any more. Tasks are poured into the machines one after the other, those with
   * the fewest free cards first, so that whole machines stay free for those who need them; this
   * finds a place nearly always, but is no proof that there is none.
   */
  static Optional<List<TaskPlacement>> place(QueuedJob job, List<NodeFreeResources> rooms) {
    Map<String, List<TaskPlacement>> placed = new HashMap<>();
    for (Demand demand : job.roles().stream().sorted(HARDEST_FIRST).toList()) {
      List<TaskPlacement> tasks = place(demand, rooms);
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
   * Places for as many tasks of a job without a gang as there is room, in the order of its roles;
   * the rooms become smaller by them.
   *
   * @param placedTasks which tasks are not of the rest
   */
  static List<TaskPlacement> placeSome(
      QueuedJob rest, PlacedTasks placedTasks, List<NodeFreeResources> rooms) {
    List<TaskPlacement> all = new ArrayList<>();
    for (Demand demand : rest.roles()) {
      int index = placedTasks.next(demand.role(), 0);
      for (TaskPlacement task : place(demand, rooms)) {
        all.add(
            new TaskPlacement(task.role(), index, task.node(), task.resources(), task.devices()));
        index = placedTasks.next(demand.role(), index + 1);
      }
    }
    return all;
  }

  private static List<TaskPlacement> place(Demand demand, List<NodeFreeResources> rooms) {
    List<TaskPlacement> tasks = new ArrayList<>();
    List<NodeFreeResources> tightestFirst = new ArrayList<>(rooms);
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
