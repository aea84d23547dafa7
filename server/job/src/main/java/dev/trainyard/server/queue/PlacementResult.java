package dev.trainyard.server.queue;

import dev.trainyard.model.JobState;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.TaskPorts;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Result of placing a job according to a plan. */
sealed interface PlacementResult {
  record Done(AttemptRecords.Placed placed) implements PlacementResult {}

  /** Ports are not available; the job keeps waiting. */
  record PortsUnavailable(PortAllocator.Choice.Missing missing) implements PlacementResult {}

  /** The job has changed since it was planned. */
  record Stale() implements PlacementResult {}

  /** Chooses ports and stores the attempt. No task is running when this method returns. */
  static PlacementResult of(
      QueueContext queue, JobStore.JobWithConfig jobWithConfig, List<TaskPlacement> placements) {
    if (jobWithConfig.job().state() != JobState.WAITING) {
      return new Stale();
    }
    return withPorts(
        queue,
        jobWithConfig,
        placements,
        ports -> queue.records().place(jobWithConfig.job(), placements, ports));
  }

  /**
   * Like {@link #of}, for further tasks of a job without gang scheduling whose attempt already
   * exists.
   */
  static PlacementResult ofFurtherTasks(
      QueueContext queue,
      JobStore.JobWithConfig jobWithConfig,
      List<TaskPlacement> placements,
      AttemptRecords.RetryNumbers retries) {
    return withPorts(
        queue,
        jobWithConfig,
        placements,
        ports ->
            queue.records().placeFurtherTasks(jobWithConfig.job(), placements, ports, retries));
  }

  private static PlacementResult withPorts(
      QueueContext queue,
      JobStore.JobWithConfig jobWithConfig,
      List<TaskPlacement> placements,
      Function<List<TaskPorts>, Optional<AttemptRecords.Placed>> storeAttempt) {
    while (true) {
      switch (queue.ports().choose(jobWithConfig.config().spec(), placements)) {
        case PortAllocator.Choice.Missing missing -> {
          return new PortsUnavailable(missing);
        }
        case PortAllocator.Choice.Chosen(List<TaskPorts> ports) -> {
          Optional<PlacementResult> placed = tryPorts(queue, placements, ports, storeAttempt);
          if (placed.isPresent()) {
            return placed.get();
          }
        }
      }
    }
  }

  /**
   * Stores the attempt with these ports; returns empty if a port is already in use, so that the
   * caller must choose again.
   */
  private static Optional<PlacementResult> tryPorts(
      QueueContext queue,
      List<TaskPlacement> placements,
      List<TaskPorts> ports,
      Function<List<TaskPorts>, Optional<AttemptRecords.Placed>> storeAttempt) {
    try {
      Optional<AttemptRecords.Placed> placed = storeAttempt.apply(ports);
      if (placed.isEmpty()) {
        queue.ports().release(placements, ports);
        return Optional.of(new Stale());
      }
      return Optional.of(new Done(placed.get()));
    } catch (PortStore.TakenException e) {
      queue.ports().release(placements, ports);
      queue.ports().markForeign(e.port());
      return Optional.empty();
    }
  }
}
