package dev.trainyard.scheduler;

import java.util.ArrayList;
import java.util.List;

/**
 * What would come of starting a job now.
 *
 * @param tasks that can start; empty if none can
 * @param rooms what is left of the machines then
 * @param limiting the limit that does not let all of it start; null if none does
 * @param machinesAreFull whether there is no place for something that the limits would allow
 */
record PlacementPreview(
    List<TaskPlacement> tasks,
    List<NodeFreeResources> rooms,
    QuotaTracker.Limiting limiting,
    boolean machinesAreFull) {

  /**
   * @param rest what of the job has not had its place yet
   * @param placedTasks which tasks are not of the rest
   * @param typed whether the types of cards are limited
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
   * A job that takes any card was given some of a type of which no more may be used. Null if that
   * is not so; else what comes of trying without that type.
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
              .map(room -> room.without(card -> exceeded.stream().anyMatch(card::isOfType)))
              .toList();
      tasks = place(wanted, placedTasks, others);
      if (!limits.exceededTypes(wanted, tasks).isEmpty()) {
        tasks = List.of();
      }
    }
    List<NodeFreeResources> left = NodeFreeResources.copies(rooms);
    for (TaskPlacement task : tasks) {
      left.stream().filter(room -> room.node().equals(task.node())).forEach(it -> it.give(task));
    }
    boolean whole = tasks.size() == wanted.tasks();
    return new PlacementPreview(tasks, left, whole ? null : limiting, false);
  }
}
