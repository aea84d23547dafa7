package dev.trainyard.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns the ends of tasks into the end of their attempt. */
public final class CompletionRule {
  private CompletionRule() {}

  /** A task that is over. */
  public record EndedTask(String role, int index, TaskEnd end) {}

  /**
   * How an attempt ends.
   *
   * @param decisive the task whose end decided, absent where all simply finished
   */
  public record Outcome(boolean succeeded, Optional<EndedTask> decisive) {}

  /**
   * The attempt's end, or empty while it goes on. The first end in time that makes a role reach its
   * number of failed or of succeeded tasks decides; what ends later, mostly because of that
   * decision, changes nothing. So it does not matter whether ends are seen one by one or, after a
   * restart, all at once. Where no rule decided, the attempt succeeds once all are over.
   *
   * @param ended in the order in which they ended, each task once
   */
  public static Optional<Outcome> decide(JobSpec spec, List<EndedTask> ended) {
    Map<String, RoleSpec> roles = new HashMap<>();
    spec.roles().forEach(role -> roles.put(role.name(), role));
    Map<String, Integer> failed = new HashMap<>();
    Map<String, Integer> succeeded = new HashMap<>();
    for (EndedTask task : ended) {
      RoleSpec role = roles.get(task.role());
      if (role == null) {
        throw new IllegalArgumentException("no role " + task.role());
      }
      boolean success = task.end().succeeded();
      int limit = success ? role.minSucceeded() : role.minFailed();
      int count = (success ? succeeded : failed).merge(role.name(), 1, Integer::sum);
      if (limit > 0 && count >= limit) {
        return Optional.of(new Outcome(success, Optional.of(task)));
      }
    }
    return ended.size() == spec.taskCount()
        ? Optional.of(new Outcome(true, Optional.empty()))
        : Optional.empty();
  }
}
