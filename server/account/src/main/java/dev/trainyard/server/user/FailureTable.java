package dev.trainyard.server.user;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts failures by key. The first failures of a key have no consequences; then each failure
 * increases the wait before the next attempt. The number of entries is limited: the least recently
 * used entries are evicted. Not thread-safe.
 */
public final class FailureTable {
  private static final int MAX_ENTRIES = 10_000;
  private static final Duration EXPIRY = Duration.ofMinutes(30);

  private final int freeFailures;
  private final Duration maxWait;
  private final int forgivenPerMinute;
  private final Map<String, Failures> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param forgivenPerMinute number of failures that are subtracted each minute, even while new
   *     failures occur
   */
  public FailureTable(int freeFailures, Duration maxWait, int forgivenPerMinute) {
    this.freeFailures = freeFailures;
    this.maxWait = maxWait;
    this.forgivenPerMinute = forgivenPerMinute;
  }

  private static final class Failures {
    private int count;
    private Instant lastFailure = Instant.MIN;
    private Instant forgivenUntil;
  }

  boolean contains(String key, Instant now) {
    return current(key, now) != null;
  }

  /** Returns the wait before the next attempt; zero or negative if none is required. */
  public Duration wait(String key, Instant now) {
    Failures failures = current(key, now);
    if (failures == null || failures.count < freeFailures) {
      return Duration.ZERO;
    }
    int doublings = Math.min(failures.count - freeFailures, 6);
    Duration pause = Duration.ofSeconds(1L << doublings);
    pause = pause.compareTo(maxWait) > 0 ? maxWait : pause;
    return Duration.between(now, failures.lastFailure.plus(pause));
  }

  /** Returns whether the number of failures without consequences is reached. */
  boolean isExhausted(String key, Instant now) {
    return count(current(key, now)) >= freeFailures;
  }

  /**
   * Returns whether another attempt may start while {@code inProgress} attempts are in progress.
   * Because all of these could fail, failures and attempts in progress share the limit {@code
   * maxConcurrent}. When the number of failures without consequences is reached, only one attempt
   * may run at a time.
   */
  public boolean mayAttempt(String key, Instant now, int inProgress, int maxConcurrent) {
    int failureCount = count(current(key, now));
    return inProgress == 0
        || (failureCount < freeFailures && failureCount + inProgress < maxConcurrent);
  }

  private static int count(Failures failures) {
    return failures == null ? 0 : failures.count;
  }

  public void count(String key, Instant now) {
    Failures failures = current(key, now);
    if (failures == null) {
      failures = new Failures();
      failures.forgivenUntil = now;
      entries.put(key, failures);
    }
    failures.count++;
    failures.lastFailure = now;
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
    if (failures.lastFailure.plus(EXPIRY).isBefore(now)) {
      entries.remove(key);
      return null;
    }
    long minutes = Duration.between(failures.forgivenUntil, now).toMinutes();
    if (forgivenPerMinute > 0 && minutes > 0) {
      long forgivenCount = Math.min(failures.count, minutes * forgivenPerMinute);
      failures.count -= (int) forgivenCount;
      failures.forgivenUntil = failures.forgivenUntil.plus(Duration.ofMinutes(minutes));
    }
    return failures;
  }
}
