package dev.trainyard.server.signup;

import dev.trainyard.model.AppException;
import dev.trainyard.server.limit.Network;
import dev.trainyard.server.user.FailureTable;
import dev.trainyard.server.user.SignInThrottle;
import dev.trainyard.server.user.InProgressCounter;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Keeps people from trying codes and names, and from making users by the hundred. A class behind
 * one address, all of whom sign up in the same lesson, is not to notice.
 *
 * <p>Nobody can lock out those who were invited: what fails at an address binds only those who come
 * from there without a good code. A good code is bound by its uses, and by the names that are tried
 * with it and found to be taken. The machine's own address, which all its tasks share, is counted
 * with the patience that signing in has for it. Thread-safe.
 */
final class SignUpThrottle {
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final Duration LONGEST_SHARED_WAIT = Duration.ofSeconds(5);
  private static final int AT_ONCE = 200;

  private final Clock clock;
  private final Counts addresses =
      new Counts(new FailureTable(20, LONGEST_WAIT, 1), new FailureTable(100, LONGEST_WAIT, 2));
  private final Counts sharedAddresses =
      new Counts(
          new FailureTable(200, LONGEST_SHARED_WAIT, 10),
          new FailureTable(200, LONGEST_SHARED_WAIT, 10));
  private final FailureTable codes = new FailureTable(100, LONGEST_SHARED_WAIT, 10);
  private final InProgressCounter inProgressCounter = new InProgressCounter();

  private record Counts(FailureTable failures, FailureTable successes) {}

  SignUpThrottle(Clock clock) {
    this.clock = clock;
  }

  /** Signs somebody up who has no code, or refuses with the seconds to wait. */
  boolean withoutCode(String remoteAddress, BooleanSupplier signUp) {
    String address = Network.of(remoteAddress);
    Counts counts = counts(remoteAddress);
    requireNoWait(counts.successes(), address);
    boolean entered = tried(counts.failures(), address, signUp);
    count(counts.successes(), address);
    return entered;
  }

  /** Signs somebody up who has a good code, or refuses with the seconds to wait. */
  boolean withGoodCode(String codeHash, BooleanSupplier signUp) {
    return tried(codes, codeHash, signUp);
  }

  private boolean tried(FailureTable failures, String key, BooleanSupplier signUp) {
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

  /** Counts a code that is not good, or refuses with the seconds to wait. */
  synchronized void badCode(String remoteAddress) {
    FailureTable failures = counts(remoteAddress).failures();
    String address = Network.of(remoteAddress);
    requireNoWait(failures, address);
    count(failures, address);
  }

  private synchronized void begin(FailureTable failures, String key) {
    requireNoWait(failures, key);
    if (!failures.hasRoom(key, clock.instant(), inProgressCounter.count(key), AT_ONCE)) {
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
      throw SignInThrottle.tooMany(wait);
    }
  }

  private synchronized void count(FailureTable table, String key) {
    table.count(key, clock.instant());
  }

  private Counts counts(String remoteAddress) {
    return Network.isLoopback(remoteAddress) ? sharedAddresses : addresses;
  }
}
