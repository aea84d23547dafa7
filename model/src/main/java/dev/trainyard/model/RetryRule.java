package dev.trainyard.model;

import java.time.Duration;
import java.util.List;

/**
 * Turns the end of an attempt into another attempt or the job's end. What the user's program does
 * wrong is counted against {@code retryCount}; what the platform does wrong is not, but a job that
 * nothing but fails to run on this platform is given up some day.
 */
public final class RetryRule {
  /** {@code retryCount}: after every failure. */
  public static final int ON_FAILURE = -1;

  /** {@code retryCount}: after every end, also a good one. */
  public static final int ALWAYS = -2;

  /** So many faults of the platform in a row, and nobody believes in another try. */
  static final int HOPELESS = 10;

  /** A fault after so long a run has nothing to do with the one before. */
  static final Duration LONG_RUN = Duration.ofMinutes(10);

  /** So many retries follow at once; a job that keeps failing quickly then has to slow down. */
  static final int QUICK_RETRIES = 10;

  static final Duration SLOW = Duration.ofSeconds(10);

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

  private RetryRule() {}

  /**
   * What is remembered of earlier attempts.
   *
   * @param counted how many retries were the user's
   * @param faults how many attempts in a row the platform has lost
   */
  public record Past(int counted, int faults) {
    public static final Past NONE = new Past(0, 0);
  }

  /**
   * How an attempt ended.
   *
   * @param reason of the task that decided
   * @param ran from its start to its end
   */
  public record Ending(boolean succeeded, ExitReason reason, Duration ran) {}

  /** What follows. */
  public sealed interface Verdict {
    /** The job ends as its attempt did. */
    record Over() implements Verdict {}

    /** The job fails: the platform has lost it too often. */
    record Hopeless(int faults) implements Verdict {}

    /** Another attempt, but not before the back-off is over. */
    record Again(AttemptCause cause, Past past, Duration backOff) implements Verdict {}
  }

  public static Verdict decide(int retryCount, Ending ending, Past past) {
    if (ending.succeeded()) {
      return retryCount == ALWAYS ? counted(AttemptCause.ALWAYS, ending, past) : new Verdict.Over();
    }
    if (ending.reason() == ExitReason.START_REFUSED) {
      return new Verdict.Over();
    }
    if (ending.reason().blame() == ExitReason.Blame.PLATFORM) {
      return afterFault(ending, past);
    }
    boolean wanted = retryCount < 0 || past.counted() < retryCount;
    return wanted ? counted(AttemptCause.FAILURE, ending, past) : new Verdict.Over();
  }

  private static Verdict afterFault(Ending ending, Past past) {
    int faults = ending.ran().compareTo(LONG_RUN) >= 0 ? 1 : past.faults() + 1;
    if (faults >= HOPELESS) {
      return new Verdict.Hopeless(faults);
    }
    Duration pause = PAUSES.get(Math.min(faults, PAUSES.size()) - 1);
    return new Verdict.Again(AttemptCause.PLATFORM_FAULT, new Past(past.counted(), faults), pause);
  }

  private static Verdict counted(AttemptCause cause, Ending ending, Past past) {
    // The count may go on for ever: an endless job of many years must not begin anew.
    int counted = past.counted() == Integer.MAX_VALUE ? past.counted() : past.counted() + 1;
    boolean slowDown = counted > QUICK_RETRIES && ending.ran().compareTo(LONG_RUN) < 0;
    return new Verdict.Again(cause, new Past(counted, 0), slowDown ? SLOW : Duration.ZERO);
  }
}
