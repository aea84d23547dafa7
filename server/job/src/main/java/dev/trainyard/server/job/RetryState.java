package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.RetryRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a job stands with its attempts.
 *
 * @param cause why the next one will be made or, once it is, was
 * @param notBefore when a waiting job may be tried again; empty for at once
 * @param backOff how long that was when it was decided
 */
public record RetryState(
    RetryRule.Past past, AttemptCause cause, Optional<Instant> notBefore, Duration backOff) {
  public static final RetryState FIRST =
      new RetryState(RetryRule.Past.NONE, AttemptCause.FIRST, Optional.empty(), Duration.ZERO);

  /** Another attempt because of how the last one ended. */
  public static RetryState after(RetryRule.Verdict.Again again, Instant now) {
    Optional<Instant> notBefore =
        again.backOff().isZero() ? Optional.empty() : Optional.of(now.plus(again.backOff()));
    return new RetryState(again.past(), again.cause(), notBefore, again.backOff());
  }

  /** Another attempt that is nobody's fault. */
  RetryState atOnce(AttemptCause newCause) {
    return new RetryState(past, newCause, Optional.empty(), Duration.ZERO);
  }

  /**
   * Until when it waits as seen from now: never longer than it was to wait, however the clock was
   * set meanwhile.
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
