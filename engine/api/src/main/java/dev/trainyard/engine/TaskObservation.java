package dev.trainyard.engine;

import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.util.Optional;

/** The current state of a task as seen by its engine. */
public record TaskObservation(TaskId id, Phase phase, Optional<TaskEnd> end) {
  /** The phase of a task in its engine. */
  public enum Phase {
    RESERVED,
    RUNNING,
    ENDED
  }

  public static TaskObservation ended(TaskId id, TaskEnd end) {
    return new TaskObservation(id, Phase.ENDED, Optional.of(end));
  }

  public static TaskObservation running(TaskId id) {
    return new TaskObservation(id, Phase.RUNNING, Optional.empty());
  }

  public static TaskObservation reserved(TaskId id) {
    return new TaskObservation(id, Phase.RESERVED, Optional.empty());
  }
}
