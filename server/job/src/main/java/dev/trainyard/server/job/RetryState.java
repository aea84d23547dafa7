package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.RetryRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * State of a job's retries.
 *
 * @param cause cause of the next attempt; after this attempt has begun, cause of the current
 *     attempt
 * @param notBefore earliest time of the next attempt of a waiting job; empty for immediately
 * @param backOff length of the backoff before the next attempt
 */
public record RetryState(
    RetryRule.Past past, AttemptCause cause, Optional<Instant> notBefore, Duration backOff) {
  public static final RetryState FIRST =
      new RetryState(RetryRule.Past.NONE, AttemptCause.FIRST, Optional.empty(), Duration.ZERO);

  /** Returns the state for a retry, after the last attempt has ended. */
  public static RetryState after(RetryRule.Verdict.Retry retry, Instant now) {
    Optional<Instant> notBefore =
        retry.backOff().isZero() ? Optional.empty() : Optional.of(now.plus(retry.backOff()));
    return new RetryState(retry.past(), retry.cause(), notBefore, retry.backOff());
  }

  /** Returns the state for another attempt that is not caused by a failure, without a backoff. */
  RetryState withoutBackoff(AttemptCause newCause) {
    return new RetryState(past, newCause, Optional.empty(), Duration.ZERO);
  }

  /**
   * Returns the earliest time of the next attempt, limited to {@code backOff} from now in case the
   * clock was set back.
   */
  public Optional<Instant> notBefore(Instant now) {
    return notBefore(notBefore, backOff, now);
  }

  static Optional<Instant> notBefore(Optional<Instant> stored, Duration backOff, Instant now) {
    if (stored.isEmpty()) {
      return stored;
    }
    Instant latest = now.plus(backOff);
    return stored.get().isAfter(latest) ? Optional.of(latest) : stored;
  }
}
