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
 * Slows down guessing. Failures are counted for a name at an address, for an address, and for a
 * name wherever it is tried; beyond some free ones each makes the next wait longer, up to a minute.
 *
 * <p>Nobody can lock others out: the count of a name binds only addresses that have failed with it,
 * and that of an address does not bind names that have signed in from there before. The machine's
 * own address is shared by all its users, tunnels and tasks, so it is counted with more patience:
 * more are free, some are forgiven each minute, and the wait stays short. All loopback addresses
 * count as one, and the count of a name binds them unless the name has signed in from there.
 *
 * <p>Tries whose end is not known yet are bounded too, so that nobody gets many guesses in before
 * the first is found to be wrong; but they are no failures: a whole class may sign in at once.
 * Thread-safe.
 */
public final class SignInThrottle {
  private static final int FREE_PER_PAIR = 5;
  private static final int FREE_PER_NAME = 20;
  private static final int FREE_PER_ADDRESS = 50;
  private static final int FREE_PER_SHARED_ADDRESS = 200;
  private static final int AT_ONCE_PER_PAIR = 16;
  private static final int AT_ONCE_PER_NAME = 40;
  private static final int AT_ONCE_PER_ADDRESS = 300;
  private static final int FORGIVEN_EACH_MINUTE = 10;
  private static final int MOST_FAMILIAR = 20_000;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final Duration LONGEST_SHARED_WAIT = Duration.ofSeconds(5);
  private static final Duration BUSY_WAIT = Duration.ofSeconds(2);
  private static final String BUSY = "error.too-many-at-once";

  private final Clock clock;
  private final FailureTable pairs = new FailureTable(FREE_PER_PAIR, LONGEST_WAIT, 0);
  private final FailureTable names = new FailureTable(FREE_PER_NAME, LONGEST_WAIT, 0);
  private final FailureTable addresses = new FailureTable(FREE_PER_ADDRESS, LONGEST_WAIT, 0);
  private final FailureTable sharedAddresses =
      new FailureTable(FREE_PER_SHARED_ADDRESS, LONGEST_SHARED_WAIT, FORGIVEN_EACH_MINUTE);

  private final InProgressCounter triedPairs = new InProgressCounter();
  private final InProgressCounter triedNames = new InProgressCounter();
  private final InProgressCounter triedAddresses = new InProgressCounter();

  /** Names with the address they have signed in from; those used longest ago are forgotten. */
  private final Map<String, Boolean> familiar =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_FAMILIAR;
        }
      };

  public SignInThrottle(Clock clock) {
    this.clock = clock;
  }

  /** One try; closed without a verdict on the password, it counts for nothing. */
  public final class Attempt implements AutoCloseable {
    private final String pair;
    private final String name;
    private final String address;
    private final FailureTable places;
    private final boolean stranger;
    private boolean closed;

    private Attempt(
        String pair, String name, String address, FailureTable places, boolean stranger) {
      this.pair = pair;
      this.name = name;
      this.address = address;
      this.places = places;
      this.stranger = stranger;
      triedPairs.begin(pair);
      triedNames.begin(name);
      if (stranger) {
        triedAddresses.begin(address);
      }
    }

    /**
     * Returns the key of this name at this address if it has signed in from there before: its tries
     * need not wait for those of others at the address.
     */
    Optional<String> familiarKey() {
      return stranger ? Optional.empty() : Optional.of(pair);
    }

    public void succeeded() {
      synchronized (SignInThrottle.this) {
        pairs.forget(pair);
        familiar.put(pair, true);
        close();
      }
    }

    public void failed() {
      synchronized (SignInThrottle.this) {
        Instant now = clock.instant();
        pairs.count(pair, now);
        names.count(name, now);
        places.count(address, now);
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
        triedPairs.end(pair);
        triedNames.end(name);
        if (stranger) {
          triedAddresses.end(address);
        }
      }
    }
  }

  /** Begins a try, or refuses it with the seconds to wait. */
  public synchronized Attempt begin(String userName, String remoteAddress) {
    Instant now = clock.instant();
    String name = UserNameRules.key(userName);
    String address = Network.of(remoteAddress);
    String pair = address + " " + name;
    boolean loopback = Network.isLoopback(remoteAddress);
    FailureTable places = loopback ? sharedAddresses : addresses;
    boolean stranger = familiar.get(pair) == null;
    boolean tried = pairs.knows(pair, now) || triedPairs.count(pair) > 0;
    Duration wait = pairs.wait(pair, now);
    boolean spent = pairs.isSpent(pair, now);
    boolean room = pairs.hasRoom(pair, now, triedPairs.count(pair), AT_ONCE_PER_PAIR);
    if (stranger) {
      wait = longer(wait, places.wait(address, now));
      spent |= places.isSpent(address, now);
      room &= places.hasRoom(address, now, triedAddresses.count(address), AT_ONCE_PER_ADDRESS);
    }
    if (tried || (loopback && stranger)) {
      wait = longer(wait, names.wait(name, now));
      spent |= names.isSpent(name, now);
      room &= names.hasRoom(name, now, triedNames.count(name), AT_ONCE_PER_NAME);
    }
    if (wait.isPositive()) {
      throw tooMany(wait);
    }
    if (!room) {
      throw spent ? tooMany(BUSY_WAIT) : tooManyAtOnce();
    }
    return new Attempt(pair, name, address, places, stranger);
  }

  /** The refusal of whoever has to wait. */
  public static AppException tooMany(Duration wait) {
    return new AppException(
        ErrorCode.TOO_MANY_REQUESTS,
        Message.of("error.too-many-failures", "seconds", wait.plusMillis(999).toSeconds()));
  }

  /** The refusal of whoever may have done nothing wrong, and comes when too many others do. */
  public static AppException tooManyAtOnce() {
    return new AppException(
        ErrorCode.TOO_MANY_REQUESTS, Message.of(BUSY, "seconds", BUSY_WAIT.toSeconds()));
  }

  /** Whether somebody was refused without any failure. */
  static boolean isOnlyBusy(AppException refusal) {
    return refusal.text().code().equals(BUSY);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }
}
