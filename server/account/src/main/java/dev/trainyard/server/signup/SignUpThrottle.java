package dev.trainyard.server.signup;

import dev.trainyard.model.AppException;
import dev.trainyard.server.limit.Network;
import dev.trainyard.server.user.FailureTable;
import dev.trainyard.server.user.InProgressCounter;
import dev.trainyard.server.user.SignInThrottle;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Limits guessing of codes and names, and mass creation of users. Students who share one address
 * and all sign up in the same lesson must not be affected.
 *
 * <p>Invited users cannot be locked out by others: failures at an address affect only sign-ups from
 * there without a valid code. Sign-ups with a valid code are limited by its number of uses, and by
 * the number of taken names tried with it. The loopback address is shared by all tasks of the host
 * and has higher limits, as for sign-in. Thread-safe.
 */
final class SignUpThrottle {
  private static final Duration MAX_WAIT = Duration.ofMinutes(1);
  private static final Duration MAX_SHARED_WAIT = Duration.ofSeconds(5);
  private static final int MAX_CONCURRENT = 200;

  private final Clock clock;
  private final Counts addresses =
      new Counts(new FailureTable(20, MAX_WAIT, 1), new FailureTable(100, MAX_WAIT, 2));
  private final Counts sharedAddresses =
      new Counts(
          new FailureTable(200, MAX_SHARED_WAIT, 10), new FailureTable(200, MAX_SHARED_WAIT, 10));
  private final FailureTable codeFailures = new FailureTable(100, MAX_SHARED_WAIT, 10);
  private final InProgressCounter inProgressCounter = new InProgressCounter();

  private record Counts(FailureTable failures, FailureTable successes) {}

  SignUpThrottle(Clock clock) {
    this.clock = clock;
  }

  /** Runs a sign-up without a code, or rejects it with the number of seconds to wait. */
  boolean withoutCode(String remoteAddress, BooleanSupplier signUp) {
    String address = Network.of(remoteAddress);
    Counts counts = counts(remoteAddress);
    requireNoWait(counts.successes(), address);
    boolean userCreated = attempt(counts.failures(), address, signUp);
    count(counts.successes(), address);
    return userCreated;
  }

  /** Runs a sign-up with a valid code, or rejects it with the number of seconds to wait. */
  boolean withValidCode(String codeHash, BooleanSupplier signUp) {
    return attempt(codeFailures, codeHash, signUp);
  }

  private boolean attempt(FailureTable failures, String key, BooleanSupplier signUp) {
    begin(failures, key);
    try {
      return signUp.getAsBoolean();
    } catch (AppException e) {
      count(failures, key);
      throw e;
    } finally {
      end(key);
    }
  }

  /** Counts an invalid code, or rejects the request with the number of seconds to wait. */
  synchronized void countInvalidCode(String remoteAddress) {
    FailureTable failures = counts(remoteAddress).failures();
    String address = Network.of(remoteAddress);
    requireNoWait(failures, address);
    count(failures, address);
  }

  private synchronized void begin(FailureTable failures, String key) {
    requireNoWait(failures, key);
    if (!failures.mayAttempt(key, clock.instant(), inProgressCounter.count(key), MAX_CONCURRENT)) {
      throw SignInThrottle.tooManyAtOnce();
    }
    inProgressCounter.begin(key);
  }

  private synchronized void end(String key) {
    inProgressCounter.end(key);
  }

  private synchronized void requireNoWait(FailureTable table, String key) {
    Duration wait = table.wait(key, clock.instant());
    if (wait.isPositive()) {
      throw SignInThrottle.waitRequired(wait);
    }
  }

  private synchronized void count(FailureTable table, String key) {
    table.count(key, clock.instant());
  }

  private Counts counts(String remoteAddress) {
    return Network.isLoopback(remoteAddress) ? sharedAddresses : addresses;
  }
}
