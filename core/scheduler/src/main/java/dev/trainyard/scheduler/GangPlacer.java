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
   * Orders demands by difficulty of placement: demands for a device type first, then by decreasing
   * size.
   */
  private static final Comparator<Demand> HARDEST_FIRST =
      Comparator.comparing((Demand demand) -> requestsDeviceType(demand.each()))
          .thenComparingInt(demand -> demand.each().devices())
          .thenComparing(demand -> demand.each().memory())
          .thenComparingInt(demand -> demand.each().cpus())
          .reversed();

  private GangPlacer() {}

  /**
   * Returns a placement for every task, in the order of the job's roles. Deducts the placements
   * from the given free resources, whose values are undefined after a failure. Fills the nodes one
   * after the other, beginning with the node that has the fewest free devices, so that complete
   * nodes stay free for tasks that need them. This heuristic almost always finds a placement if one
   * exists, but a failure does not prove that there is none.
   */
  static Optional<List<TaskPlacement>> place(QueuedJob job, List<NodeFreeResources> free) {
    Map<String, List<TaskPlacement>> placementsByRole = new HashMap<>();
    for (Demand demand : job.roles().stream().sorted(HARDEST_FIRST).toList()) {
      List<TaskPlacement> tasks = place(demand, free);
      if (tasks.size() < demand.tasks()) {
        return Optional.empty();
      }
      placementsByRole.put(demand.role(), tasks);
    }
    List<TaskPlacement> placements = new ArrayList<>();
    job.roles().forEach(demand -> placements.addAll(placementsByRole.get(demand.role())));
    return Optional.of(placements);
  }

  /**
   * Returns placements for as many tasks of a job without gang scheduling as fit, in the order of
   * its roles, and deducts them from the given free resources.
   *
   * @param placedTasks the tasks of the job that are already placed
   */
  static List<TaskPlacement> placeAsManyAsFit(
      QueuedJob remainder, PlacedTasks placedTasks, List<NodeFreeResources> free) {
    List<TaskPlacement> placements = new ArrayList<>();
    for (Demand demand : remainder.roles()) {
      int index = placedTasks.nextUnplaced(demand.role(), 0);
      for (TaskPlacement task : place(demand, free)) {
        placements.add(
            new TaskPlacement(task.role(), index, task.node(), task.resources(), task.devices()));
        index = placedTasks.nextUnplaced(demand.role(), index + 1);
      }
    }
    return placements;
  }

  private static List<TaskPlacement> place(Demand demand, List<NodeFreeResources> free) {
    List<TaskPlacement> tasks = new ArrayList<>();
    List<NodeFreeResources> nodesByFreeDevices = new ArrayList<>(free);
    nodesByFreeDevices.sort(Comparator.comparingInt(NodeFreeResources::deviceCount));
    for (NodeFreeResources freeResources : nodesByFreeDevices) {
      while (tasks.size() < demand.tasks()) {
        Optional<List<Integer>> devices = freeResources.reserve(demand.each());
        if (devices.isEmpty()) {
          break;
        }
        tasks.add(
            new TaskPlacement(
                demand.role(), tasks.size(), freeResources.node(), demand.each(), devices.get()));
      }
    }
    return tasks;
  }

  private static boolean requestsDeviceType(TaskResources resources) {
    return resources.devices() > 0 && !resources.deviceType().isEmpty();
  }
}
