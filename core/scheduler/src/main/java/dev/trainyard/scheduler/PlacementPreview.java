package dev.trainyard.scheduler;

import java.util.ArrayList;
import java.util.List;

/**
 * Result of tentatively starting a job.
 *
 * @param tasks tasks that can start; empty if none can
 * @param rooms free resources of the nodes after these tasks have started
 * @param limiting the limit that prevents some tasks from starting; null if there is none
 * @param machinesAreFull whether a task that the limits allow does not fit on any node
 */
record PlacementPreview(
    List<TaskPlacement> tasks,
    List<NodeFreeResources> rooms,
    QuotaTracker.Limiting limiting,
    boolean machinesAreFull) {

  /**
   * @param rest the part of the job that has not been placed yet
   * @param placedTasks the tasks that are not part of the rest
   * @param typed whether the number of devices of some type is limited
   */
  static PlacementPreview of(
      QueuedJob rest,
      PlacedTasks placedTasks,
      List<NodeFreeResources> rooms,
      QuotaTracker.TentativeUsage limits,
      boolean typed) {
    QuotaTracker.Affordable affordable = limits.affordable(rest, rest.roles());
    boolean notAll = affordable.limiting() != null;
    if (affordable.demands().isEmpty() || (rest.gang() && notAll)) {
      return new PlacementPreview(List.of(), rooms, affordable.limiting(), false);
    }
    QueuedJob wanted = rest.with(affordable.demands());
    List<NodeFreeResources> left = NodeFreeResources.copies(rooms);
    List<TaskPlacement> tasks = place(wanted, placedTasks, left);
    if (typed && !tasks.isEmpty()) {
      PlacementPreview other = withinTypes(wanted, placedTasks, rooms, limits, tasks);
      if (other != null) {
        return other;
      }
    }
    return new PlacementPreview(tasks, left, affordable.limiting(), tasks.size() < wanted.tasks());
  }

  private static List<TaskPlacement> place(
      QueuedJob wanted, PlacedTasks placedTasks, List<NodeFreeResources> rooms) {
    return wanted.gang()
        ? GangPlacer.place(wanted, rooms).orElse(List.of())
        : GangPlacer.placeSome(wanted, placedTasks, rooms);
  }

  /**
   * Retries the placement if a job that accepts any device was assigned devices of a type whose
   * quota is exhausted. Returns null if that is not the case, else the result of a placement
   * without that type.
   */
  private static PlacementPreview withinTypes(
      QueuedJob wanted,
      PlacedTasks placedTasks,
      List<NodeFreeResources> rooms,
      QuotaTracker.TentativeUsage limits,
      List<TaskPlacement> first) {
    List<String> exceeded = limits.exceededTypes(wanted, first);
    if (exceeded.isEmpty()) {
      return null;
    }
    QuotaTracker.Limiting limiting = limits.limiting(wanted, first);
    List<TaskPlacement> tasks = first;
    if (!wanted.gang()) {
      tasks = new ArrayList<>(first);
      while (!tasks.isEmpty() && !limits.exceededTypes(wanted, tasks).isEmpty()) {
        tasks.removeLast();
      }
    }
    if (wanted.gang() || tasks.isEmpty()) {
      List<NodeFreeResources> others =
          rooms.stream()
              .map(node -> node.without(device -> exceeded.stream().anyMatch(device::isOfType)))
              .toList();
      tasks = place(wanted, placedTasks, others);
      if (!limits.exceededTypes(wanted, tasks).isEmpty()) {
        tasks = List.of();
      }
    }
    List<NodeFreeResources> left = NodeFreeResources.copies(rooms);
    for (TaskPlacement task : tasks) {
      left.stream().filter(node -> node.node().equals(task.node())).forEach(it -> it.give(task));
    }
    boolean whole = tasks.size() == wanted.tasks();
    return new PlacementPreview(tasks, left, whole ? null : limiting, false);
  }
}
