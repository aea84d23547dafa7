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
 * The count of a name binds only addresses that have failed with it, so that nobody can lock the
 * owner out from elsewhere. The machine's own address is shared by all its users, tunnels and
 * tasks: there only names are counted. Memory is bounded: what was not touched longest is
 * forgotten. Thread-safe.
 */
public final class SignInThrottle {
  private static final int FREE_PER_PAIR = 5;
  private static final int FREE_PER_NAME = 20;
  private static final int FREE_PER_ADDRESS = 50;
  private static final int MOST_ENTRIES = 10_000;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(30);

  private final Clock clock;
  private final Table pairs = new Table(FREE_PER_PAIR);
  private final Table names = new Table(FREE_PER_NAME);
  private final Table addresses = new Table(FREE_PER_ADDRESS);

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

    private Attempt(String pair, String name, String address) {
      this.pair = pair;
      this.name = name;
      this.address = address;
    }

    public void succeeded() {
      synchronized (SignInThrottle.this) {
        pairs.entries.remove(pair);
        names.undo(name);
        addresses.undo(address);
      }
    }
  }

  /** Begins a try, or refuses it with the seconds to wait. */
  public synchronized Attempt begin(String userName, String remoteAddress) {
    Instant now = clock.instant();
    String name = Names.key(userName);
    String address = network(remoteAddress);
    String pair = address + " " + name;
    Duration wait = pairs.wait(pair, now);
    if (!isShared(remoteAddress)) {
      wait = longer(wait, addresses.wait(address, now));
    }
    if (pairs.knows(pair, now)) {
      wait = longer(wait, names.wait(name, now));
    }
    if (wait.isPositive()) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-many-failures", "seconds", wait.plusMillis(999).toSeconds()));
    }
    pairs.count(pair, now);
    names.count(name, now);
    if (!isShared(remoteAddress)) {
      addresses.count(address, now);
    }
    return new Attempt(pair, name, address);
  }

  private static boolean isShared(String address) {
    return address.startsWith("127.") || address.equals("::1") || address.equals("0:0:0:0:0:0:0:1");
  }

  /** Who has one IPv6 address has 2^64 of them. */
  private static String network(String address) {
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

  private static final class Failures {
    private int count;
    private Instant last = Instant.MIN;
  }

  private static final class Table {
    private final int free;
    private final Map<String, Failures> entries = new LinkedHashMap<>(16, 0.75f, true);

    Table(int free) {
      this.free = free;
    }

    boolean knows(String key, Instant now) {
      return current(key, now) != null;
    }

    Duration wait(String key, Instant now) {
      Failures failures = current(key, now);
      if (failures == null || failures.count < free) {
        return Duration.ZERO;
      }
      int doublings = Math.min(failures.count - free, 6);
      Duration pause = Duration.ofSeconds(1L << doublings);
      pause = pause.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : pause;
      return Duration.between(now, failures.last.plus(pause));
    }

    void count(String key, Instant now) {
      Failures failures = entries.computeIfAbsent(key, unknown -> new Failures());
      failures.count++;
      failures.last = now;
      if (entries.size() > MOST_ENTRIES) {
        entries.remove(entries.keySet().iterator().next());
      }
    }

    void undo(String key) {
      Failures failures = entries.get(key);
      if (failures != null && --failures.count <= 0) {
        entries.remove(key);
      }
    }

    private Failures current(String key, Instant now) {
      Failures failures = entries.get(key);
      if (failures != null && failures.last.plus(FORGOTTEN_AFTER).isBefore(now)) {
        entries.remove(key);
        return null;
      }
      return failures;
    }
  }
}
