package dev.trainyard.server.queue;

import dev.trainyard.model.JobState;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.TaskPorts;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What came of giving a job the place that a plan found for it. */
sealed interface Placing {
  record Done(AttemptRecords.Placed placed) implements Placing {}

  /** Ports are missing: it waits on. */
  record NoPorts(PortBook.Choice.Missing missing) implements Placing {}

  /** The job is no longer what the plan was made for. */
  record TooLate() implements Placing {}

  /** Chooses ports and writes the attempt down; nothing has run when this returns. */
  static Placing of(QueueContext queue, JobStore.Filed filed, List<TaskPlacement> placements) {
    if (filed.job().state() != JobState.WAITING) {
      return new TooLate();
    }
    return choosing(
        queue, filed, placements, ports -> queue.records().place(filed.job(), placements, ports));
  }

  /** The same for more tasks of a job without a gang, whose first ones have their place. */
  static Placing more(
      QueueContext queue,
      JobStore.Filed filed,
      List<TaskPlacement> placements,
      AttemptRecords.RetryNumbers retries) {
    return choosing(
        queue,
        filed,
        placements,
        ports -> queue.records().placeMore(filed.job(), placements, ports, retries));
  }

  private static Placing choosing(
      QueueContext queue,
      JobStore.Filed filed,
      List<TaskPlacement> placements,
      Function<List<TaskPorts>, Optional<AttemptRecords.Placed>> record) {
    while (true) {
      switch (queue.ports().choose(filed.config().spec(), placements)) {
        case PortBook.Choice.Missing missing -> {
          return new NoPorts(missing);
        }
        case PortBook.Choice.Chosen(List<TaskPorts> ports) -> {
          Optional<Placing> placed = tryIt(queue, placements, ports, record);
          if (placed.isPresent()) {
            return placed.get();
          }
        }
      }
    }
  }

  /** Empty if a port turned out to be somebody else's: choose again. */
  private static Optional<Placing> tryIt(
      QueueContext queue,
      List<TaskPlacement> placements,
      List<TaskPorts> ports,
      Function<List<TaskPorts>, Optional<AttemptRecords.Placed>> record) {
    try {
      Optional<AttemptRecords.Placed> placed = record.apply(ports);
      if (placed.isEmpty()) {
        queue.ports().giveBack(placements, ports);
        return Optional.of(new TooLate());
      }
      return Optional.of(new Done(placed.get()));
    } catch (PortStore.TakenException e) {
      queue.ports().giveBack(placements, ports);
      queue.ports().foreign(e.port());
      return Optional.empty();
    }
  }
}
