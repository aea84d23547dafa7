package dev.trainyard.server.queue;

import dev.trainyard.model.RetryRule;
import dev.trainyard.model.RoleSpec;
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

/** Whether a task of a job without a gang is tried again alone, while the others go on. Pure. */
final class TaskRetries {
  private static final int SPREADS = 100;

  private TaskRetries() {}

  /**
   * @param task that failed, with its end
   * @param diagnosis what is believed about its end
   * @param past what is remembered of its runs before
   * @return how it is tried again; empty if its end stands
   */
  static Optional<RetryState> decide(
      RoleSpec role, Task task, Diagnosis diagnosis, RetryRule.Past past, Instant now) {
    Duration ran =
        task.started()
            .map(from -> Duration.between(from, task.end().orElseThrow().at()))
            .filter(time -> !time.isNegative())
            .orElse(Duration.ZERO);
    int limit = role.taskRetryCount() < 0 ? RetryRule.ON_FAILURE : role.taskRetryCount();
    var ending =
        new RetryRule.Ending(
            false,
            diagnosis.reaction(),
            "",
            AttemptOutcome.counted(diagnosis, ran),
            Math.floorMod(task.id().toString().hashCode(), SPREADS));
    return RetryRule.decide(new RetryRule.Limits(limit, 0), ending, past)
            instanceof RetryRule.Verdict.Again again
        ? Optional.of(RetryState.after(again, now))
        : Optional.empty();
  }

  /** Removes the tasks whose backoff has expired from a map and returns them. */
  static List<TaskId> takeDue(Map<TaskId, RetryState> awaited, Instant now) {
    List<TaskId> due = new ArrayList<>();
    awaited.forEach(
        (task, next) -> {
          if (next.notBefore(now).filter(time -> time.isAfter(now)).isEmpty()) {
            due.add(task);
          }
        });
    awaited.keySet().removeAll(due);
    return due;
  }
}
