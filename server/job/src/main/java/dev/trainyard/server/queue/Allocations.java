package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import dev.trainyard.scheduler.QueueEvent;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.Task;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tracks which job holds which placements, and reports the changes to the planner. Only the queue
 * thread may modify this object; any thread may read it.
 */
final class Allocations {
  private final SynchronizedPlanner planner;
  private final Map<JobId, List<TaskPlacement>> allocated = new ConcurrentHashMap<>();

  Allocations(SynchronizedPlanner planner) {
    this.planner = planner;
  }

  /** Returns the placements of tasks that were placed by a previous server process. */
  static List<TaskPlacement> placementsOf(JobSpec spec, List<Task> tasks) {
    Map<String, TaskResources> resources = new HashMap<>();
    spec.roles().forEach(role -> resources.put(role.name(), role.resources()));
    return tasks.stream()
        .map(
            task ->
                new TaskPlacement(
                    task.id().role(),
                    task.id().index(),
                    task.node(),
                    resources.get(task.id().role()),
                    task.devices()))
        .toList();
  }

  /**
   * Records placements of a job: for a gang, the placements of all tasks; without gang scheduling,
   * the placements of further tasks.
   */
  void add(QueuedJob job, List<TaskPlacement> placements) {
    planner.apply(new QueueEvent.JobPlaced(job, placements));
    allocated.merge(
        job.id(),
        placements,
        (existing, added) -> Stream.concat(existing.stream(), added.stream()).toList());
  }

  /** Releases the placements of finished tasks of a job without gang scheduling. */
  void free(JobId job, List<Task> tasks) {
    Set<String> names = new HashSet<>();
    tasks.forEach(task -> names.add(HostNames.exact(task.id())));
    Map<Boolean, List<TaskPlacement>> byFinished =
        allocated.getOrDefault(job, List.of()).stream()
            .collect(
                Collectors.partitioningBy(
                    placement -> names.contains(placement.role() + "-" + placement.index())));
    planner.apply(new QueueEvent.TasksFinished(job, byFinished.get(true)));
    allocated.put(job, byFinished.get(false));
  }

  /** Requests a new placement for tasks of a job without gang scheduling. */
  void requeue(QueuedJob job, List<TaskId> tasks) {
    if (!tasks.isEmpty()) {
      List<QueueEvent.TaskName> names =
          tasks.stream().map(task -> new QueueEvent.TaskName(task.role(), task.index())).toList();
      planner.apply(new QueueEvent.TasksRequeued(job, names));
    }
  }

  /** Removes all placements of a job. The planner is notified separately. */
  void remove(JobId job) {
    allocated.remove(job);
  }

  Map<JobId, List<TaskPlacement>> placementsByJob() {
    return Map.copyOf(allocated);
  }
}
