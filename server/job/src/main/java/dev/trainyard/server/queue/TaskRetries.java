package dev.trainyard.server.queue;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.diagnosis.Diagnosis;
import dev.trainyard.server.job.RetryState;
import dev.trainyard.server.job.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether a task of a job without gang scheduling is retried individually while the other
 * tasks keep running.
 */
final class TaskRetries {
  private static final int SPREAD_RANGE = 100;

  private TaskRetries() {}

  /**
   * Returns the state of the retry after a run; empty if the task succeeded or the end of the run
   * is final.
   */
  static Optional<RetryState> next(
      QueueContext queue, JobSpec spec, Task task, TaskEnd end, RetryRule.Past past) {
    if (end.succeeded()) {
      return Optional.empty();
    }
    Diagnosis diagnosis = queue.diagnoser().of(task.id(), end);
    RoleSpec role = spec.role(task.id().role());
    return decide(role, task.ended(end), diagnosis, past, queue.clock().instant());
  }

  /**
   * @param task the failed task, with its end
   * @param diagnosis the diagnosis of the task's end
   * @param past the retry history of the task before this run
   * @return the state of the retry; empty if the end is final
   */
  static Optional<RetryState> decide(
      RoleSpec role, Task task, Diagnosis diagnosis, RetryRule.Past past, Instant now) {
    Duration runTime =
        task.started()
            .map(from -> Duration.between(from, task.end().orElseThrow().at()))
            .filter(time -> !time.isNegative())
            .orElse(Duration.ZERO);
    int limit = role.taskRetryCount() < 0 ? RetryRule.ON_FAILURE : role.taskRetryCount();
    var result =
        new RetryRule.AttemptResult(
            false,
            diagnosis.reaction(),
            "",
            AttemptOutcome.countedRunTime(diagnosis, runTime),
            Math.floorMod(task.id().toString().hashCode(), SPREAD_RANGE));
    return RetryRule.decide(new RetryRule.Limits(limit, 0), result, past)
            instanceof RetryRule.Verdict.Retry retry
        ? Optional.of(RetryState.after(retry, now))
        : Optional.empty();
  }

  /** Removes the tasks whose backoff has expired from a map and returns them. */
  static List<TaskId> takeDue(Map<TaskId, RetryState> awaitedRetries, Instant now) {
    List<TaskId> due = new ArrayList<>();
    awaitedRetries.forEach(
        (task, next) -> {
          if (next.notBefore(now).filter(time -> time.isAfter(now)).isEmpty()) {
            due.add(task);
          }
        });
    awaitedRetries.keySet().removeAll(due);
    return due;
  }
}
