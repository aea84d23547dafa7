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
   * Returns the outcome of the attempt, or empty while it continues. The first end in time with
   * which a role reaches its number of failed or succeeded tasks decides; later ends, which are
   * mostly a consequence of that decision, change nothing. The result is therefore the same whether
   * ends are observed one by one or, after a restart, all at once. If no rule decides, the attempt
   * succeeds when all tasks have finished, unless a task was stopped, because a stop is not an end
   * of the program itself. The rules apply to the user's program: a task that the platform lost
   * fails the attempt regardless of them, and so does, with gang scheduling, a task that could not
   * be started.
   *
   * @param ended in the order in which they ended, each task once
   */
  public static Optional<Outcome> decide(JobSpec spec, List<EndedTask> ended) {
    Tally tally = new Tally(spec);
    ended.forEach(tally::add);
    return tally.outcome();
  }

  /** Computes the same result incrementally, so that the cost for many thousand ends is linear. */
  public static final class Tally {
    private final Map<String, Count> roles = new HashMap<>();
    private final boolean gang;
    private int left;
    private Optional<EndedTask> stopped = Optional.empty();
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
      gang = spec.extras().gangAllocation();
      left = spec.taskCount();
    }

    /** Adds the next end in time, of a task that was not added before. */
    public void add(EndedTask task) {
      Count count = roles.get(task.role());
      if (count == null) {
        throw new IllegalArgumentException("no role " + task.role());
      }
      left--;
      if (outcome.isEmpty()) {
        outcome = decided(count, task);
      }
    }

    private Optional<Outcome> decided(Count count, EndedTask task) {
      boolean success = task.end().succeeded();
      int number = success ? ++count.succeeded : ++count.failed;
      int limit = success ? count.role.minSucceeded() : count.role.minFailed();
      ExitReason reason = task.end().reason();
      boolean lost = reason.blame() == ExitReason.Blame.PLATFORM;
      if ((limit > 0 && number >= limit) || lost || (gang && reason.isFailedStart())) {
        return Optional.of(new Outcome(success, Optional.of(task)));
      }
      if (reason == ExitReason.STOPPED) {
        stopped = Optional.of(task);
      }
      return left == 0 ? Optional.of(new Outcome(stopped.isEmpty(), stopped)) : Optional.empty();
    }

    /** Returns the outcome of the attempt, or empty while it continues. */
    public Optional<Outcome> outcome() {
      return outcome;
    }

    /** Returns whether all tasks have finished. */
    public boolean isFinished() {
      return left == 0;
    }
  }
}
