package dev.trainyard.model;

import java.util.List;
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
   * The attempt's end, or empty while it goes on. Rules in this order: enough tasks of a role
   * failed; enough succeeded; all are over.
   *
   * @param ended in the order in which they ended
   */
  public static Optional<Outcome> decide(JobSpec spec, List<EndedTask> ended) {
    for (RoleSpec role : spec.roles()) {
      List<EndedTask> failed = ofRole(ended, role, false);
      if (role.minFailed() > 0 && failed.size() >= role.minFailed()) {
        return Optional.of(new Outcome(false, Optional.of(failed.get(role.minFailed() - 1))));
      }
    }
    for (RoleSpec role : spec.roles()) {
      List<EndedTask> succeeded = ofRole(ended, role, true);
      if (role.minSucceeded() > 0 && succeeded.size() >= role.minSucceeded()) {
        return Optional.of(new Outcome(true, Optional.of(succeeded.get(role.minSucceeded() - 1))));
      }
    }
    return ended.size() == spec.taskCount()
        ? Optional.of(new Outcome(true, Optional.empty()))
        : Optional.empty();
  }

  private static List<EndedTask> ofRole(List<EndedTask> ended, RoleSpec role, boolean succeeded) {
    return ended.stream()
        .filter(task -> task.role().equals(role.name()) && task.end().succeeded() == succeeded)
        .toList();
  }
}
