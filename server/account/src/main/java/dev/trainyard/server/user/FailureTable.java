package dev.trainyard.server.user;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts failures by key. After a number of free failures, each failure increases the wait before
 * the next attempt. Memory is bounded: the least recently used entries are evicted. Not
 * thread-safe.
 */
public final class FailureTable {
  private static final int MAX_ENTRIES = 10_000;
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(30);

  private final int free;
  private final Duration longestWait;
  private final int forgivenEachMinute;
  private final Map<String, Failures> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param forgivenEachMinute number of failures forgotten each minute, even while new ones occur
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

  /** Returns the wait before the next attempt; zero or negative if none is required. */
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

  /** Returns whether the free failures are used up. */
  boolean isSpent(String key, Instant now) {
    return count(current(key, now)) >= free;
  }

  /**
   * Returns whether one more attempt may start while others are in progress. All attempts in
   * progress could fail, so failures and attempts in progress share one limit; after too many
   * failures only one attempt may run at a time.
   */
  public boolean hasRoom(String key, Instant now, int underWay, int maxEntries) {
    int failed = count(current(key, now));
    return underWay == 0 || (failed < free && failed + underWay < maxEntries);
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
    if (entries.size() > MAX_ENTRIES) {
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
