package dev.trainyard.scheduler;

import java.util.ArrayList;
import java.util.List;

/**
 * Result of tentatively starting a job.
 *
 * @param tasks tasks that can start; empty if no task can start
 * @param freeResources free resources of the nodes after these tasks have started
 * @param limit the limit that prevents some tasks from starting; null if there is none
 * @param nodesAreFull whether a task that the limits allow does not fit on any node
 */
record PlacementPreview(
    List<TaskPlacement> tasks,
    List<NodeFreeResources> freeResources,
    QuotaTracker.BlockingLimit limit,
    boolean nodesAreFull) {

  /**
   * @param remainder the part of the job that has not been placed yet
   * @param placedTasks the tasks of the job that are already placed
   * @param hasTypeQuota whether the virtual cluster has a quota for a device type
   */
  static PlacementPreview of(
      QueuedJob remainder,
      PlacedTasks placedTasks,
      List<NodeFreeResources> freeResources,
      QuotaTracker.TentativeUsage limits,
      boolean hasTypeQuota) {
    QuotaTracker.AllowedDemands allowedDemands =
        limits.findAllowedDemands(remainder, remainder.roles());
    boolean isLimited = allowedDemands.limit() != null;
    if (allowedDemands.demands().isEmpty() || (remainder.gang() && isLimited)) {
      return new PlacementPreview(List.of(), freeResources, allowedDemands.limit(), false);
    }
    QueuedJob allowedPart = remainder.with(allowedDemands.demands());
    List<NodeFreeResources> remainingResources = NodeFreeResources.copies(freeResources);
    List<TaskPlacement> tasks = place(allowedPart, placedTasks, remainingResources);
    if (hasTypeQuota && !tasks.isEmpty()) {
      PlacementPreview retriedPreview =
          placeWithinTypeQuotas(allowedPart, placedTasks, freeResources, limits, tasks);
      if (retriedPreview != null) {
        return retriedPreview;
      }
    }
    return new PlacementPreview(
        tasks, remainingResources, allowedDemands.limit(), tasks.size() < allowedPart.tasks());
  }

  private static List<TaskPlacement> place(
      QueuedJob allowedPart, PlacedTasks placedTasks, List<NodeFreeResources> freeResources) {
    return allowedPart.gang()
        ? GangPlacer.place(allowedPart, freeResources).orElse(List.of())
        : GangPlacer.placeAsManyAsFit(allowedPart, placedTasks, freeResources);
  }

  /**
   * Corrects the placement of a job that accepts any device if the placement exceeds the quotas of
   * device types; returns null if it exceeds none. Without gang scheduling, this method drops the
   * last tasks until no quota is exceeded. With gang scheduling, or if no task is left, it places
   * the tasks again without devices of these types.
   */
  private static PlacementPreview placeWithinTypeQuotas(
      QueuedJob allowedPart,
      PlacedTasks placedTasks,
      List<NodeFreeResources> freeResources,
      QuotaTracker.TentativeUsage limits,
      List<TaskPlacement> firstPlacements) {
    List<String> excludedTypes = limits.exceededTypes(allowedPart, firstPlacements);
    if (excludedTypes.isEmpty()) {
      return null;
    }
    QuotaTracker.BlockingLimit limit = limits.findBlockingLimit(allowedPart, firstPlacements);
    List<TaskPlacement> tasks = firstPlacements;
    if (!allowedPart.gang()) {
      tasks = new ArrayList<>(firstPlacements);
      while (!tasks.isEmpty() && !limits.exceededTypes(allowedPart, tasks).isEmpty()) {
        tasks.removeLast();
      }
    }
    if (allowedPart.gang() || tasks.isEmpty()) {
      List<NodeFreeResources> allowedNodes =
          freeResources.stream()
              .map(
                  node ->
                      node.withoutDevices(
                          device -> excludedTypes.stream().anyMatch(device::isOfType)))
              .toList();
      tasks = place(allowedPart, placedTasks, allowedNodes);
      if (!limits.exceededTypes(allowedPart, tasks).isEmpty()) {
        tasks = List.of();
      }
    }
    List<NodeFreeResources> remainingResources = NodeFreeResources.copies(freeResources);
    for (TaskPlacement task : tasks) {
      remainingResources.stream()
          .filter(node -> node.node().equals(task.node()))
          .forEach(remainingNode -> remainingNode.deduct(task));
    }
    boolean isComplete = tasks.size() == allowedPart.tasks();
    return new PlacementPreview(tasks, remainingResources, isComplete ? null : limit, false);
  }
}
