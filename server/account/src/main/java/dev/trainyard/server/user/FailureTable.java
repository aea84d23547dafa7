package dev.trainyard.server.user;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts failures by some key. Beyond some free ones each makes the next wait longer. Memory is
 * bounded: what was not touched longest is forgotten. Not thread-safe.
 */
public final class FailureTable {
  private static final int MOST_ENTRIES = 10_000;
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(30);

  private final int free;
  private final Duration longestWait;
  private final int forgivenEachMinute;
  private final Map<String, Failures> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param forgivenEachMinute how many are forgotten each minute, even while others come
   */
  public FailureTable(int free, Duration longestWait, int forgivenEachMinute) {
    this.free = free;
    this.longestWait = longestWait;
    this.forgivenEachMinute = forgivenEachMinute;
  }

  private static final class Failures {
    private int count;
    private Instant last = Instant.MIN;
    private Instant forgiven;
  }

  boolean knows(String key, Instant now) {
    return current(key, now) != null;
  }

  /** How long to wait before the next try; zero or less for not at all. */
  public Duration wait(String key, Instant now) {
    Failures failures = current(key, now);
    if (failures == null || failures.count < free) {
      return Duration.ZERO;
    }
    int doublings = Math.min(failures.count - free, 6);
    Duration pause = Duration.ofSeconds(1L << doublings);
    pause = pause.compareTo(longestWait) > 0 ? longestWait : pause;
    return Duration.between(now, failures.last.plus(pause));
  }

  /** Whether the free ones are used up. */
  boolean isSpent(String key, Instant now) {
    return count(current(key, now)) >= free;
  }

  /**
   * Whether one more may begin while others, whose end nobody knows yet, are under way. All of them
   * could fail, so failures and those under way share one bound; who has failed too often gets one
   * at a time.
   */
  public boolean hasRoom(String key, Instant now, int underWay, int most) {
    int failed = count(current(key, now));
    return underWay == 0 || (failed < free && failed + underWay < most);
  }

  private static int count(Failures failures) {
    return failures == null ? 0 : failures.count;
  }

  public void count(String key, Instant now) {
    Failures failures = current(key, now);
    if (failures == null) {
      failures = new Failures();
      failures.forgiven = now;
      entries.put(key, failures);
    }
    failures.count++;
    failures.last = now;
    if (entries.size() > MOST_ENTRIES) {
      entries.remove(entries.keySet().iterator().next());
    }
  }

  void forget(String key) {
    entries.remove(key);
  }

  private Failures current(String key, Instant now) {
    Failures failures = entries.get(key);
    if (failures == null) {
      return null;
    }
    if (failures.last.plus(FORGOTTEN_AFTER).isBefore(now)) {
      entries.remove(key);
      return null;
    }
    long minutes = Duration.between(failures.forgiven, now).toMinutes();
    if (forgivenEachMinute > 0 && minutes > 0) {
      long less = Math.min(failures.count, minutes * forgivenEachMinute);
      failures.count -= (int) less;
      failures.forgiven = failures.forgiven.plus(Duration.ofMinutes(minutes));
    }
    return failures;
  }
}
