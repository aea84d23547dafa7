package dev.trainyard.server.job;

import dev.trainyard.model.TaskId;

/**
 * A finished run of a task that has been, or will be, followed by another run in the same attempt.
 *
 * @param task the task as it was in this run, with its end
 * @param next cause, time and history of the next run
 */
public record PreviousRun(Task task, RetryState next) {
  public TaskId id() {
    return task.id();
  }
}
