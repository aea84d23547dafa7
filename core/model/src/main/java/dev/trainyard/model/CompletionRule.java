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
   * restart, all at once. Where no rule decided, the attempt succeeds once all are over, unless one
   * was stopped, which is no end of its own. The rules are about the user's program: a task that
   * the platform lost fails the attempt whatever they say, and so does, where tasks start all or
   * none, one that could not be started.
   *
   * @param ended in the order in which they ended, each task once
   */
  public static Optional<Outcome> decide(JobSpec spec, List<EndedTask> ended) {
    Tally tally = new Tally(spec);
    ended.forEach(tally::add);
    return tally.outcome();
  }

  /** The same, end by end, so that many thousand ends cost no more than their number. */
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

    /** The next end in time, of a task that was not added before. */
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

    /** The attempt's end, or empty while it goes on. */
    public Optional<Outcome> outcome() {
      return outcome;
    }

    /** Whether no task is left. */
    public boolean isFinished() {
      return left == 0;
    }
  }
}
