package dev.trainyard.server.event;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An event that is about to be stored.
 *
 * @param userId the owner of the job, who may see it
 * @param warning whether somebody should look at it
 * @param attempt the newest at that time, 0 before the first
 * @param role only of an event of a single task, as is the index
 * @param message what happened, in a sentence without a subject
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

  public NewEvent ofTask(String itsRole, int itsIndex) {
    return new NewEvent(
        job,
        userId,
        type,
        warning,
        attempt,
        Optional.of(itsRole),
        OptionalInt.of(itsIndex),
        message);
  }
}
