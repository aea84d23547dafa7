package dev.trainyard.server.event;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An event to be stored.
 *
 * @param userId the owner of the job, who may see the event
 * @param warning whether the event needs attention
 * @param attempt the number of the newest attempt at the time of the event; 0 before the first
 *     attempt
 * @param role role of the task; role and index are set only for an event of a single task
 * @param message what happened, as a sentence without a subject
 */
public record NewEvent(
    JobId job,
    String userId,
    EventType type,
    boolean warning,
    int attempt,
    Optional<String> role,
    OptionalInt index,
    Message message) {
  public static NewEvent of(
      JobId job, String userId, EventType type, boolean warning, int attempt, Message message) {
    return new NewEvent(
        job, userId, type, warning, attempt, Optional.empty(), OptionalInt.empty(), message);
  }

  public NewEvent ofTask(String taskRole, int taskIndex) {
    return new NewEvent(
        job,
        userId,
        type,
        warning,
        attempt,
        Optional.of(taskRole),
        OptionalInt.of(taskIndex),
        message);
  }
}
