package dev.trainyard.server.queue;

import dev.trainyard.model.JobState;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.TaskPorts;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What came of giving a job the place that a plan found for it. */
sealed interface PlacementResult {
  record Done(AttemptRecords.Placed placed) implements PlacementResult {}

  /** Ports are missing: it waits on. */
  record PortsUnavailable(PortAllocator.Choice.Missing missing) implements PlacementResult {}

  /** The job is no longer what the plan was made for. */
  record Stale() implements PlacementResult {}

  /** Chooses ports and writes the attempt down; nothing has run when this returns. */
  static PlacementResult of(
      QueueContext queue, JobStore.JobWithConfig jobWithConfig, List<TaskPlacement> placements) {
    if (jobWithConfig.job().state() != JobState.WAITING) {
      return new Stale();
    }
    return choosing(
        queue,
        jobWithConfig,
        placements,
        ports -> queue.records().place(jobWithConfig.job(), placements, ports));
  }

  /** The same for more tasks of a job without a gang, whose first ones have their place. */
  static PlacementResult more(
      QueueContext queue,
      JobStore.JobWithConfig jobWithConfig,
      List<TaskPlacement> placements,
      AttemptRecords.RetryNumbers retries) {
    return choosing(
        queue,
        jobWithConfig,
        placements,
        ports -> queue.records().placeMore(jobWithConfig.job(), placements, ports, retries));
  }

  private static PlacementResult choosing(
      QueueContext queue,
      JobStore.JobWithConfig jobWithConfig,
      List<TaskPlacement> placements,
      Function<List<TaskPorts>, Optional<AttemptRecords.Placed>> record) {
    while (true) {
      switch (queue.ports().choose(jobWithConfig.config().spec(), placements)) {
        case PortAllocator.Choice.Missing missing -> {
          return new PortsUnavailable(missing);
        }
        case PortAllocator.Choice.Chosen(List<TaskPorts> ports) -> {
          Optional<PlacementResult> placed = tryIt(queue, placements, ports, record);
          if (placed.isPresent()) {
            return placed.get();
          }
        }
      }
    }
  }

  /** Empty if a port turned out to be somebody else's: choose again. */
  private static Optional<PlacementResult> tryIt(
      QueueContext queue,
      List<TaskPlacement> placements,
      List<TaskPorts> ports,
      Function<List<TaskPorts>, Optional<AttemptRecords.Placed>> record) {
    try {
      Optional<AttemptRecords.Placed> placed = record.apply(ports);
      if (placed.isEmpty()) {
        queue.ports().release(placements, ports);
        return Optional.of(new Stale());
      }
      return Optional.of(new Done(placed.get()));
    } catch (PortStore.TakenException e) {
      queue.ports().release(placements, ports);
      queue.ports().foreign(e.port());
      return Optional.empty();
    }
  }
}
