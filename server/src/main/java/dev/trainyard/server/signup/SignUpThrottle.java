package dev.trainyard.server.signup;

import dev.trainyard.server.user.FailureTable;
import dev.trainyard.server.user.SignInThrottle;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Keeps people from trying codes and names, and from making users by the hundred. A class behind
 * one address, all of whom sign up in the same lesson, is not to notice. Thread-safe.
 */
final class SignUpThrottle {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private final Clock clock;
  private final FailureTable failures = new FailureTable(20, LONGEST_WAIT, 1);
  private final FailureTable successes = new FailureTable(100, LONGEST_WAIT, 2);

  SignUpThrottle(Clock clock) {
    this.clock = clock;
  }

  /** Counts a try as failed until {@link #succeeded}, or refuses it with the seconds to wait. */
  synchronized void begin(String remoteAddress) {
    Instant now = clock.instant();
    String address = SignInThrottle.network(remoteAddress);
    Duration wait = failures.wait(address, now);
    Duration other = successes.wait(address, now);
    wait = other.compareTo(wait) > 0 ? other : wait;
    if (wait.isPositive()) {
      throw SignInThrottle.tooMany(wait);
    }
    failures.count(address, now);
  }

  synchronized void succeeded(String remoteAddress) {
    String address = SignInThrottle.network(remoteAddress);
    failures.undo(address);
    successes.count(address, clock.instant());
  }
}
