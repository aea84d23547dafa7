package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.limit.Network;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Slows down password guessing. Failures are counted per pair of name and address, per address, and
 * per name at any address. The first failures of each count have no consequences; each further
 * failure increases the wait before the next attempt, up to a minute.
 *
 * <p>Users cannot lock each other out: the count of a name applies only to addresses from which a
 * sign-in with that name has failed, and the count of an address does not apply to names that have
 * signed in from this address before. All users, tunnels and tasks of the host share the loopback
 * address. Therefore it has a higher limit, some of its failures are forgiven each minute, and the
 * wait is short. All loopback addresses count as one, and the count of a name always applies to
 * them, unless the name has signed in from there.
 *
 * <p>The number of concurrent attempts is limited too, so that an attacker cannot try many
 * passwords before the first attempt fails. Attempts in progress do not count as failures, so all
 * users of a classroom can sign in at once. Thread-safe.
 */
public final class SignInThrottle {
  private static final int FREE_FAILURES_PER_PAIR = 5;
  private static final int FREE_FAILURES_PER_NAME = 20;
  private static final int FREE_FAILURES_PER_ADDRESS = 50;
  private static final int FREE_FAILURES_PER_SHARED_ADDRESS = 200;
  private static final int MAX_CONCURRENT_PER_PAIR = 16;
  private static final int MAX_CONCURRENT_PER_NAME = 40;
  private static final int MAX_CONCURRENT_PER_ADDRESS = 300;
  private static final int FORGIVEN_PER_MINUTE = 10;
  private static final int MAX_KNOWN_PAIRS = 20_000;
  private static final Duration MAX_WAIT = Duration.ofMinutes(1);
  private static final Duration MAX_SHARED_WAIT = Duration.ofSeconds(5);
  private static final Duration BUSY_WAIT = Duration.ofSeconds(2);
  private static final String BUSY_CODE = "error.too-many-at-once";

  private final Clock clock;
  private final FailureTable pairFailures = new FailureTable(FREE_FAILURES_PER_PAIR, MAX_WAIT, 0);
  private final FailureTable nameFailures = new FailureTable(FREE_FAILURES_PER_NAME, MAX_WAIT, 0);
  private final FailureTable addressFailures =
      new FailureTable(FREE_FAILURES_PER_ADDRESS, MAX_WAIT, 0);
  private final FailureTable sharedAddressFailures =
      new FailureTable(FREE_FAILURES_PER_SHARED_ADDRESS, MAX_SHARED_WAIT, FORGIVEN_PER_MINUTE);

  private final InProgressCounter pairsInProgress = new InProgressCounter();
  private final InProgressCounter namesInProgress = new InProgressCounter();
  private final InProgressCounter addressesInProgress = new InProgressCounter();

  /** Pairs of name and address with a successful sign-in; the least recently used are evicted. */
  private final Map<String, Boolean> knownPairs =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MAX_KNOWN_PAIRS;
        }
      };

  public SignInThrottle(Clock clock) {
    this.clock = clock;
  }

  /** A sign-in attempt. An attempt that is closed without a result is not counted. */
  public final class Attempt implements AutoCloseable {
    private final String pair;
    private final String name;
    private final String address;
    private final FailureTable addressTable;
    private final boolean isNewPair;
    private boolean closed;

    private Attempt(
        String pair, String name, String address, FailureTable addressTable, boolean isNewPair) {
      this.pair = pair;
      this.name = name;
      this.address = address;
      this.addressTable = addressTable;
      this.isNewPair = isNewPair;
      pairsInProgress.begin(pair);
      namesInProgress.begin(name);
      if (isNewPair) {
        addressesInProgress.begin(address);
      }
    }

    /**
     * Returns the key of this pair of name and address if the name has signed in from the address
     * before. Attempts with such a key need not wait for attempts of others at the address.
     */
    Optional<String> knownPairKey() {
      return isNewPair ? Optional.empty() : Optional.of(pair);
    }

    public void succeeded() {
      synchronized (SignInThrottle.this) {
        pairFailures.forget(pair);
        knownPairs.put(pair, true);
        close();
      }
    }

    public void failed() {
      synchronized (SignInThrottle.this) {
        Instant now = clock.instant();
        pairFailures.count(pair, now);
        nameFailures.count(name, now);
        addressTable.count(address, now);
        close();
      }
    }

    @Override
    public void close() {
      synchronized (SignInThrottle.this) {
        if (closed) {
          return;
        }
        closed = true;
        pairsInProgress.end(pair);
        namesInProgress.end(name);
        if (isNewPair) {
          addressesInProgress.end(address);
        }
      }
    }
  }

  /**
   * Begins an attempt. Throws TOO_MANY_REQUESTS, with the number of seconds to wait, if the caller
   * has to wait.
   */
  public synchronized Attempt begin(String userName, String remoteAddress) {
    Instant now = clock.instant();
    String name = UserNameRules.key(userName);
    String address = Network.of(remoteAddress);
    String pair = address + " " + name;
    boolean loopback = Network.isLoopback(remoteAddress);
    FailureTable addressTable = loopback ? sharedAddressFailures : addressFailures;
    boolean isNewPair = knownPairs.get(pair) == null;
    boolean triedBefore = pairFailures.contains(pair, now) || pairsInProgress.count(pair) > 0;
    Duration wait = pairFailures.wait(pair, now);
    boolean exhausted = pairFailures.isExhausted(pair, now);
    boolean allowed =
        pairFailures.mayAttempt(pair, now, pairsInProgress.count(pair), MAX_CONCURRENT_PER_PAIR);
    if (isNewPair) {
      wait = longer(wait, addressTable.wait(address, now));
      exhausted |= addressTable.isExhausted(address, now);
      allowed &=
          addressTable.mayAttempt(
              address, now, addressesInProgress.count(address), MAX_CONCURRENT_PER_ADDRESS);
    }
    if (triedBefore || (loopback && isNewPair)) {
      wait = longer(wait, nameFailures.wait(name, now));
      exhausted |= nameFailures.isExhausted(name, now);
      allowed &=
          nameFailures.mayAttempt(name, now, namesInProgress.count(name), MAX_CONCURRENT_PER_NAME);
    }
    if (wait.isPositive()) {
      throw waitRequired(wait);
    }
    if (!allowed) {
      throw exhausted ? waitRequired(BUSY_WAIT) : tooManyAtOnce();
    }
    return new Attempt(pair, name, address, addressTable, isNewPair);
  }

  /** Returns the error for a caller who has to wait. */
  public static AppException waitRequired(Duration wait) {
    return new AppException(
        ErrorCode.TOO_MANY_REQUESTS,
        Message.of("error.too-many-failures", "seconds", wait.plusMillis(999).toSeconds()));
  }

  /**
   * Returns the error for a caller who has to wait only because too many other attempts are in
   * progress.
   */
  public static AppException tooManyAtOnce() {
    return new AppException(
        ErrorCode.TOO_MANY_REQUESTS, Message.of(BUSY_CODE, "seconds", BUSY_WAIT.toSeconds()));
  }

  /** Returns whether an attempt was rejected only because too many attempts are in progress. */
  static boolean isBusy(AppException rejection) {
    return rejection.text().code().equals(BUSY_CODE);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }
}
