package dev.trainyard.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides whether another attempt follows the end of an attempt. Failures of the user's program
 * count for the limits; platform failures do not, but a job that repeatedly fails because of the
 * platform is finally given up.
 */
public final class RetryRule {
  /** Limit value: retry after every failure. */
  public static final int ON_FAILURE = -1;

  /** Limit value of a job: retry after every end, even a successful one. */
  public static final int ALWAYS = -2;

  /** Number of consecutive platform failures after which the job fails. */
  public static final int HOPELESS = 10;

  /** A platform failure after a run of at least this length is unrelated to the previous one. */
  static final Duration LONG_RUN = Duration.ofMinutes(10);

  /**
   * Number of retries that follow without delay; a job that keeps failing quickly is then delayed.
   */
  static final int QUICK_RETRIES = 10;

  static final Duration SLOW = Duration.ofSeconds(10);

  /** Number of further consecutive failures of short runs after which the pause doubles. */
  static final int DOUBLED_AFTER = 10;

  static final Duration SLOWEST = Duration.ofMinutes(10);

  /** Pauses after the first, second, … consecutive platform failure. */
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10));

  /**
   * Minimum pauses after the first, second, … consecutive conflict. The maximum is twice the
   * minimum, so that two conflicting jobs do not start at the same time again. After the last
   * pause, a conflict counts as the job's own failure, because it may be in conflict with itself.
   */
  static final List<Duration> CONFLICT_PAUSES =
      List.of(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofMinutes(4));

  private RetryRule() {}

  /**
   * Retry limits set by the user.
   *
   * @param job for failures of any kind: a number, {@link #ON_FAILURE} or {@link #ALWAYS}
   * @param task for failures of the decisive task: a number, or unlimited if below 0. With gang
   *     scheduling the whole attempt is repeated; each task has its own count, which restarts after
   *     each retry of the job
   */
  public record Limits(int job, int task) {}

  /**
   * Retry history of the job.
   *
   * @param counted number of retries that counted for the user's limit
   * @param faults number of consecutive attempts lost by the platform
   * @param conflicts number of consecutive attempts that ended with a conflict
   * @param tasks number of retries of each task since the last retry of the job
   */
  public record Past(int counted, int faults, int conflicts, Map<String, Integer> tasks) {
    public static final Past NONE = new Past(0, 0, 0, Map.of());

    public Past {
      tasks = Collections.unmodifiableMap(new TreeMap<>(tasks));
    }
  }

  /**
   * The end of an attempt.
   *
   * @param reaction retry behavior for the end of the decisive task
   * @param task the decisive task
   * @param ran time from start to end; zero if the end must not count as a new one
   * @param spread from 0 to 99, differs between jobs: percentage by which a pause after a conflict
   *     is extended
   */
  public record Ending(
      boolean succeeded, RetryBehavior reaction, String task, Duration ran, int spread) {}

  /** The decision. */
  public sealed interface Verdict {
    /** The job ends with the outcome of its attempt. */
    record Over() implements Verdict {}

    /** The job fails because the platform has lost it too often. */
    record Hopeless(int faults) implements Verdict {}

    /** Another attempt follows, not before the backoff has expired. */
    record Again(AttemptCause cause, Past past, Duration backOff) implements Verdict {}
  }

  public static Verdict decide(Limits limits, Ending ending, Past past) {
    if (ending.succeeded()) {
      return limits.job() == ALWAYS
          ? counted(AttemptCause.ALWAYS, ending, past)
          : new Verdict.Over();
    }
    return switch (ending.reaction()) {
      case NEVER -> new Verdict.Over();
      case FREE -> afterFault(ending, past);
      case BACK_OFF ->
          past.conflicts() < CONFLICT_PAUSES.size()
              ? afterConflict(ending, past)
              : byLimits(limits, ending, past);
      case COUNTED -> byLimits(limits, ending, past);
    };
  }

  private static Verdict byLimits(Limits limits, Ending ending, Past past) {
    if (limits.task() < 0 || past.tasks().getOrDefault(ending.task(), 0) < limits.task()) {
      return againForTask(ending, past);
    }
    boolean endless = limits.job() == ON_FAILURE || limits.job() == ALWAYS;
    return endless || past.counted() < limits.job()
        ? counted(AttemptCause.FAILURE, ending, past)
        : new Verdict.Over();
  }

  private static Verdict afterFault(Ending ending, Past past) {
    int faults = isLong(ending) ? 1 : past.faults() + 1;
    if (faults >= HOPELESS) {
      return new Verdict.Hopeless(faults);
    }
    Duration pause = PAUSES.get(Math.min(faults, PAUSES.size()) - 1);
    Past next = new Past(past.counted(), faults, past.conflicts(), past.tasks());
    return new Verdict.Again(AttemptCause.PLATFORM_FAULT, next, pause);
  }

  private static Verdict afterConflict(Ending ending, Past past) {
    Duration pause = CONFLICT_PAUSES.get(past.conflicts());
    Past next = new Past(past.counted(), past.faults(), past.conflicts() + 1, past.tasks());
    return new Verdict.Again(
        AttemptCause.CONFLICT,
        next,
        pause.plus(pause.multipliedBy(ending.spread()).dividedBy(100)));
  }

  private static Verdict againForTask(Ending ending, Past past) {
    Map<String, Integer> tasks = new TreeMap<>(past.tasks());
    int retries = tasks.merge(ending.task(), 1, RetryRule::plus);
    return new Verdict.Again(
        AttemptCause.TASK_FAILURE,
        new Past(past.counted(), 0, 0, tasks),
        pauseAfter(retries, ending));
  }

  private static Verdict counted(AttemptCause cause, Ending ending, Past past) {
    int counted = plus(past.counted(), 1);
    Duration pause = pauseAfter(counted, ending);
    // A job that runs again after every end does nothing wrong, so its pause does not grow.
    boolean wanted = cause == AttemptCause.ALWAYS && pause.compareTo(SLOW) > 0;
    return new Verdict.Again(cause, new Past(counted, 0, 0, Map.of()), wanted ? SLOW : pause);
  }

  /** Adds without overflow, because the count of an endless job must not start over. */
  private static int plus(int count, int one) {
    return count == Integer.MAX_VALUE ? count : count + one;
  }

  private static Duration pauseAfter(int retries, Ending ending) {
    if (retries <= QUICK_RETRIES || isLong(ending)) {
      return Duration.ZERO;
    }
    int doublings = Math.min((retries - QUICK_RETRIES - 1) / DOUBLED_AFTER, 10);
    Duration pause = SLOW.multipliedBy(1L << doublings);
    return pause.compareTo(SLOWEST) > 0 ? SLOWEST : pause;
  }

  private static boolean isLong(Ending ending) {
    return ending.ran().compareTo(LONG_RUN) >= 0;
  }
}
