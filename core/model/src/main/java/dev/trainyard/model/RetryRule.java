package dev.trainyard.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns the end of an attempt into another attempt or the job's end. What the user's program does
 * wrong is counted against the limits; what the platform does wrong is not, but a job that nothing
 * but fails to run on this platform is given up some day.
 */
public final class RetryRule {
  /** A limit: after every failure. */
  public static final int ON_FAILURE = -1;

  /** A job's limit: after every end, also a good one. */
  public static final int ALWAYS = -2;

  /** So many faults of the platform in a row, and nobody believes in another try. */
  public static final int HOPELESS = 10;

  /** A fault after so long a run has nothing to do with the one before. */
  static final Duration LONG_RUN = Duration.ofMinutes(10);

  /** So many retries follow at once; a job that keeps failing quickly then has to slow down. */
  static final int QUICK_RETRIES = 10;

  static final Duration SLOW = Duration.ofSeconds(10);

  /** After so many more failures in a row of short runs the pause doubles. */
  static final int DOUBLED_AFTER = 10;

  static final Duration SLOWEST = Duration.ofMinutes(10);

  /** After the first fault in a row, the second, and so on. */
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
   * At least after the first conflict in a row, and so on; at most twice that, so that two that met
   * do not meet again. After the last one a conflict counts as the job's own failure: it may be in
   * conflict with itself.
   */
  static final List<Duration> CONFLICT_PAUSES =
      List.of(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofMinutes(4));

  private RetryRule() {}

  /**
   * How often a user wants another try.
   *
   * @param job after failures of any kind: a number, {@link #ON_FAILURE} or {@link #ALWAYS}
   * @param task after failures of the task that decided: a number or, below 0, any number. Where
   *     tasks start all or none, the whole attempt is made again; what counts is each task's own
   *     number, anew after each retry of the job
   */
  public record Limits(int job, int task) {}

  /**
   * What is remembered of earlier attempts.
   *
   * @param counted how many retries were the user's
   * @param faults how many attempts in a row the platform has lost
   * @param conflicts how many attempts in a row met somebody else
   * @param tasks how many retries each task has had since the last of the job
   */
  public record Past(int counted, int faults, int conflicts, Map<String, Integer> tasks) {
    public static final Past NONE = new Past(0, 0, 0, Map.of());

    public Past {
      tasks = Collections.unmodifiableMap(new TreeMap<>(tasks));
    }
  }

  /**
   * How an attempt ended.
   *
   * @param reaction to the end of the task that decided
   * @param task that decided
   * @param ran from its start to its end; nothing where an end is not to count as a new one
   * @param spread from 0 to 99, differs between jobs: how much longer a conflict makes them wait
   */
  public record Ending(
      boolean succeeded, RetryBehavior reaction, String task, Duration ran, int spread) {}

  /** What follows. */
  public sealed interface Verdict {
    /** The job ends as its attempt did. */
    record Over() implements Verdict {}

    /** The job fails: the platform has lost it too often. */
    record Hopeless(int faults) implements Verdict {}

    /** Another attempt, but not before the back-off is over. */
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
    // Whoever wants to be run again and again does nothing wrong.
    boolean wanted = cause == AttemptCause.ALWAYS && pause.compareTo(SLOW) > 0;
    return new Verdict.Again(cause, new Past(counted, 0, 0, Map.of()), wanted ? SLOW : pause);
  }

  /** The count may go on for ever: an endless job of many years must not begin anew. */
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
