package dev.trainyard.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Determines the outcome of an attempt from the ends of its tasks. */
public final class CompletionRule {
  private CompletionRule() {}

  /** A finished task. */
  public record EndedTask(String role, int index, TaskEnd end) {}

  /**
   * The outcome of an attempt.
   *
   * @param decisive the task whose end decided the outcome; absent if all tasks simply finished
   */
  public record Outcome(boolean succeeded, Optional<EndedTask> decisive) {}

  /**
   * Returns the outcome of the attempt, or empty while it continues. The outcome is decided by the
   * first end with which a role reaches its number of failed or succeeded tasks. Later ends, most
   * of which are a consequence of that decision, change nothing. The result is therefore the same
   * whether ends are observed one by one or, after a restart, all at once. If no rule decides, the
   * attempt succeeds when all tasks have finished, unless a task was stopped, because a stopped
   * program did not end by itself. These rules apply to ends of the user's program. A task that the
   * platform lost always fails the attempt; with gang scheduling, so does a task that could not be
   * started.
   *
   * @param endedTasks ended tasks in the order in which they ended; each task occurs once
   */
  public static Optional<Outcome> decide(JobSpec spec, List<EndedTask> endedTasks) {
    Tally tally = new Tally(spec);
    endedTasks.forEach(tally::add);
    return tally.outcome();
  }

  /**
   * Determines the outcome incrementally, so that the total cost is linear in the number of ends.
   */
  public static final class Tally {
    private final Map<String, Count> roles = new HashMap<>();
    private final boolean gangScheduling;
    private int remainingTasks;
    private Optional<EndedTask> stoppedTask = Optional.empty();
    private Optional<Outcome> outcome = Optional.empty();

    private static final class Count {
      private final RoleSpec role;
      private int failed;
      private int succeeded;

      Count(RoleSpec role) {
        this.role = role;
      }
    }

    public Tally(JobSpec spec) {
      spec.roles().forEach(role -> roles.put(role.name(), new Count(role)));
      gangScheduling = spec.extras().gangAllocation();
      remainingTasks = spec.taskCount();
    }

    /**
     * Adds the next ended task. Tasks are added in the order in which they ended, each task once.
     */
    public void add(EndedTask task) {
      Count count = roles.get(task.role());
      if (count == null) {
        throw new IllegalArgumentException("no role " + task.role());
      }
      remainingTasks--;
      if (outcome.isEmpty()) {
        outcome = findOutcome(count, task);
      }
    }

    private Optional<Outcome> findOutcome(Count count, EndedTask task) {
      boolean isSuccess = task.end().succeeded();
      int roleCount = isSuccess ? ++count.succeeded : ++count.failed;
      int limit = isSuccess ? count.role.minSucceeded() : count.role.minFailed();
      ExitReason reason = task.end().reason();
      boolean isLost = reason.blame() == ExitReason.Blame.PLATFORM;
      if ((limit > 0 && roleCount >= limit)
          || isLost
          || (gangScheduling && reason.isFailedStart())) {
        return Optional.of(new Outcome(isSuccess, Optional.of(task)));
      }
      if (reason == ExitReason.STOPPED) {
        stoppedTask = Optional.of(task);
      }
      return remainingTasks == 0
          ? Optional.of(new Outcome(stoppedTask.isEmpty(), stoppedTask))
          : Optional.empty();
    }

    /** Returns the outcome of the attempt, or empty while it continues. */
    public Optional<Outcome> outcome() {
      return outcome;
    }

    /** Returns whether all tasks have finished. */
    public boolean isFinished() {
      return remainingTasks == 0;
    }
  }
}
