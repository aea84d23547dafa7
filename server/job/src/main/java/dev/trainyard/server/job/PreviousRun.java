package dev.trainyard.server.job;

import dev.trainyard.model.TaskId;

/**
 * A run of a task that is over and has, or will have, another one after it in the same attempt.
 *
 * @param task with its end
 * @param next why, when and with what memory the next one is made
 */
public record PreviousRun(Task task, RetryState next) {
  public TaskId id() {
    return task.id();
  }
}
