package dev.trainyard.model;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides whether another attempt follows the end of an attempt. Failures of the user's program
 * count toward the limits. Platform failures do not, but a job that the platform has lost too often
 * in a row fails.
 */
public final class RetryRule {
  /** Limit value: retry after every failure. */
  public static final int ON_FAILURE = -1;

  /** Limit value of a job: retry after every end, even a successful one. */
  public static final int ALWAYS = -2;

  /** Number of consecutive platform failures after which the job fails. */
  public static final int MAX_PLATFORM_FAILURES = 10;

  /**
   * Minimum duration of a long run. A platform failure after a long run is not counted as
   * consecutive, and another failure after a long run is retried without a pause.
   */
  static final Duration LONG_RUN = Duration.ofMinutes(10);

  /** Number of retries without a pause; each further retry after a short run is delayed. */
  static final int QUICK_RETRIES = 10;

  static final Duration MIN_PAUSE = Duration.ofSeconds(10);

  /** Number of further retries after which the pause doubles. */
  static final int RETRIES_PER_DOUBLING = 10;

  static final Duration MAX_PAUSE = Duration.ofMinutes(10);

  /** Pauses after the first, second, … consecutive platform failure. */
  private static final List<Duration> FAULT_PAUSES =
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
   * Minimum pauses after the first, second, … consecutive conflict. Each pause is extended to less
   * than twice its minimum by a percentage that differs between jobs, so that two conflicting jobs
   * do not start at the same time again. After the last pause, a conflict counts as a failure of
   * the job, because the job may be in conflict with itself.
   */
  static final List<Duration> CONFLICT_PAUSES =
      List.of(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofMinutes(4));

  private RetryRule() {}

  /**
   * Retry limits set by the user.
   *
   * @param job maximum number of retries after failures of any kind, or {@link #ON_FAILURE} or
   *     {@link #ALWAYS}
   * @param task maximum number of retries after failures of the decisive task; unlimited if below
   *     0. With gang scheduling the whole attempt is retried. Each task has its own count, which is
   *     reset by each retry of the job
   */
  public record Limits(int job, int task) {}

  /**
   * Retry history of the job.
   *
   * @param counted number of retries that counted toward the user's limit
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
   * @param ran time from start to end; zero if the end must count as consecutive
   * @param spread percentage by which a pause after a conflict is extended, from 0 to 99; it
   *     differs between jobs
   */
  public record AttemptResult(
      boolean succeeded, RetryBehavior reaction, String task, Duration ran, int spread) {}

  /** The decision on another attempt. */
  public sealed interface Verdict {
    /** The job ends with the outcome of its attempt. */
    record NoRetry() implements Verdict {}

    /** The job fails because the platform has lost it too often in a row. */
    record GiveUp(int faults) implements Verdict {}

    /** Another attempt follows, not before the backoff has expired. */
    record Retry(AttemptCause cause, Past past, Duration backOff) implements Verdict {}
  }

  public static Verdict decide(Limits limits, AttemptResult ending, Past past) {
    if (ending.succeeded()) {
      return limits.job() == ALWAYS
          ? retryAndCount(AttemptCause.ALWAYS, ending, past)
          : new Verdict.NoRetry();
    }
    return switch (ending.reaction()) {
      case NEVER -> new Verdict.NoRetry();
      case FREE -> decideAfterFault(ending, past);
      case BACK_OFF ->
          past.conflicts() < CONFLICT_PAUSES.size()
              ? decideAfterConflict(ending, past)
              : decideByLimits(limits, ending, past);
      case COUNTED -> decideByLimits(limits, ending, past);
    };
  }

  private static Verdict decideByLimits(Limits limits, AttemptResult ending, Past past) {
    if (limits.task() < 0 || past.tasks().getOrDefault(ending.task(), 0) < limits.task()) {
      return retryForTask(ending, past);
    }
    boolean endless = limits.job() == ON_FAILURE || limits.job() == ALWAYS;
    return endless || past.counted() < limits.job()
        ? retryAndCount(AttemptCause.FAILURE, ending, past)
        : new Verdict.NoRetry();
  }

  private static Verdict decideAfterFault(AttemptResult ending, Past past) {
    int faults = isLongRun(ending) ? 1 : past.faults() + 1;
    if (faults >= MAX_PLATFORM_FAILURES) {
      return new Verdict.GiveUp(faults);
    }
    Duration pause = FAULT_PAUSES.get(Math.min(faults, FAULT_PAUSES.size()) - 1);
    Past newPast = new Past(past.counted(), faults, past.conflicts(), past.tasks());
    return new Verdict.Retry(AttemptCause.PLATFORM_FAULT, newPast, pause);
  }

  private static Verdict decideAfterConflict(AttemptResult ending, Past past) {
    Duration pause = CONFLICT_PAUSES.get(past.conflicts());
    Past newPast = new Past(past.counted(), past.faults(), past.conflicts() + 1, past.tasks());
    return new Verdict.Retry(
        AttemptCause.CONFLICT,
        newPast,
        pause.plus(pause.multipliedBy(ending.spread()).dividedBy(100)));
  }

  private static Verdict retryForTask(AttemptResult ending, Past past) {
    Map<String, Integer> tasks = new TreeMap<>(past.tasks());
    int retries = tasks.merge(ending.task(), 1, RetryRule::addSaturated);
    return new Verdict.Retry(
        AttemptCause.TASK_FAILURE,
        new Past(past.counted(), 0, 0, tasks),
        pauseAfter(retries, ending));
  }

  private static Verdict retryAndCount(AttemptCause cause, AttemptResult ending, Past past) {
    int countedRetries = addSaturated(past.counted(), 1);
    Duration pause = pauseAfter(countedRetries, ending);
    // A job that is configured to run again after every end has not failed, so its pause does not
    // grow.
    boolean isLimited = cause == AttemptCause.ALWAYS && pause.compareTo(MIN_PAUSE) > 0;
    return new Verdict.Retry(
        cause, new Past(countedRetries, 0, 0, Map.of()), isLimited ? MIN_PAUSE : pause);
  }

  /**
   * Adds without overflow, because the count of a job with unlimited retries must not become
   * negative.
   */
  private static int addSaturated(int count, int increment) {
    return count == Integer.MAX_VALUE ? count : count + increment;
  }

  private static Duration pauseAfter(int retries, AttemptResult ending) {
    if (retries <= QUICK_RETRIES || isLongRun(ending)) {
      return Duration.ZERO;
    }
    int doublings = Math.min((retries - QUICK_RETRIES - 1) / RETRIES_PER_DOUBLING, 10);
    Duration pause = MIN_PAUSE.multipliedBy(1L << doublings);
    return pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause;
  }

  private static boolean isLongRun(AttemptResult ending) {
    return ending.ran().compareTo(LONG_RUN) >= 0;
  }
}
