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
 * Limits the guessing of codes and names, and the mass creation of users. The limits permit a class
 * of students at one address to sign up in the same lesson.
 *
 * <p>Other clients cannot lock out invited users: failures at an address affect only sign-ups from
 * this address without a valid code. Sign-ups with a valid code are limited by the number of uses
 * of the code, and by the number of failed sign-ups with the code, for example because a name is
 * taken. The loopback address, which all tasks of the host share, has higher limits, as in {@link
 * SignInThrottle}. Thread-safe.
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

  /**
   * Runs a sign-up without a code. Throws TOO_MANY_REQUESTS, with the number of seconds to wait, if
   * it is not permitted now.
   */
  boolean withoutCode(String remoteAddress, BooleanSupplier signUp) {
    String address = Network.of(remoteAddress);
    Counts counts = counts(remoteAddress);
    requireNoWait(counts.successes(), address);
    boolean userCreated = attempt(counts.failures(), address, signUp);
    count(counts.successes(), address);
    return userCreated;
  }

  /**
   * Runs a sign-up with a valid code. Throws TOO_MANY_REQUESTS, with the number of seconds to wait,
   * if it is not permitted now.
   */
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

  /**
   * Counts an invalid code. Throws TOO_MANY_REQUESTS, with the number of seconds to wait, if there
   * were too many failures at the address.
   */
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
