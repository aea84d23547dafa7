package dev.trainyard.server.user;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows down guessing. Failures are counted for a name at an address, for an address, and for a
 * name wherever it is tried; beyond some free ones each makes the next wait longer, up to a minute.
 *
 * <p>Nobody can lock others out: the count of a name binds only addresses that have failed with it,
 * and that of an address does not bind names that have signed in from there before. The machine's
 * own address is shared by all its users, tunnels and tasks, so it is counted with more patience:
 * more are free, some are forgiven each minute, and the wait stays short. Thread-safe.
 */
public final class SignInThrottle {
  private static final int FREE_PER_PAIR = 5;
  private static final int FREE_PER_NAME = 20;
  private static final int FREE_PER_ADDRESS = 50;
  private static final int FREE_PER_SHARED_ADDRESS = 200;
  private static final int FORGIVEN_EACH_MINUTE = 10;
  private static final int MOST_FAMILIAR = 20_000;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final Duration LONGEST_SHARED_WAIT = Duration.ofSeconds(5);

  private final Clock clock;
  private final FailureTable pairs = new FailureTable(FREE_PER_PAIR, LONGEST_WAIT, 0);
  private final FailureTable names = new FailureTable(FREE_PER_NAME, LONGEST_WAIT, 0);
  private final FailureTable addresses = new FailureTable(FREE_PER_ADDRESS, LONGEST_WAIT, 0);
  private final FailureTable sharedAddresses =
      new FailureTable(FREE_PER_SHARED_ADDRESS, LONGEST_SHARED_WAIT, FORGIVEN_EACH_MINUTE);

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

  /**
   * One try, counted as failed until it has succeeded, so that many at once do not slip through.
   */
  public final class Attempt {
    private final String pair;
    private final String name;
    private final String address;
    private final FailureTable places;

    private Attempt(String pair, String name, String address, FailureTable places) {
      this.pair = pair;
      this.name = name;
      this.address = address;
      this.places = places;
    }

    public void succeeded() {
      synchronized (SignInThrottle.this) {
        pairs.forget(pair);
        names.undo(name);
        places.undo(address);
        familiar.put(pair, true);
      }
    }
  }

  /** Begins a try, or refuses it with the seconds to wait. */
  public synchronized Attempt begin(String userName, String remoteAddress) {
    Instant now = clock.instant();
    String name = Names.key(userName);
    String address = network(remoteAddress);
    String pair = address + " " + name;
    FailureTable places = isShared(remoteAddress) ? sharedAddresses : addresses;
    Duration wait = pairs.wait(pair, now);
    if (familiar.get(pair) == null) {
      wait = longer(wait, places.wait(address, now));
    }
    if (pairs.knows(pair, now)) {
      wait = longer(wait, names.wait(name, now));
    }
    if (wait.isPositive()) {
      throw tooMany(wait);
    }
    pairs.count(pair, now);
    names.count(name, now);
    places.count(address, now);
    return new Attempt(pair, name, address, places);
  }

  /** The refusal of whoever has to wait. */
  public static AppException tooMany(Duration wait) {
    return new AppException(
        ErrorCode.TOO_MANY_REQUESTS,
        Message.of("error.too-many-failures", "seconds", wait.plusMillis(999).toSeconds()));
  }

  private static boolean isShared(String address) {
    return address.startsWith("127.") || address.equals("::1") || address.equals("0:0:0:0:0:0:0:1");
  }

  /** Who has one IPv6 address has 2^64 of them. */
  public static String network(String address) {
    if (!address.contains(":") || address.contains(".")) {
      return address;
    }
    String[] parts = address.split(":", -1);
    StringBuilder network = new StringBuilder();
    for (int i = 0; i < Math.min(4, parts.length) && !parts[i].isEmpty(); i++) {
      network.append(parts[i]).append(':');
    }
    return network.append(":/64").toString();
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }
}
