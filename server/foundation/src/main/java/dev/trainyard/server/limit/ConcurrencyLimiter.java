package dev.trainyard.server.limit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Limits the number of concurrent uses per key. Callers must release every slot they acquire.
 * Thread-safe.
 */
final class ConcurrencyLimiter {
  private final int limit;
  private final ConcurrentMap<String, Integer> countByKey = new ConcurrentHashMap<>();

  ConcurrencyLimiter(int limit) {
    this.limit = limit;
  }

  /** Returns whether a slot was available. */
  boolean take(String key) {
    boolean[] got = new boolean[1];
    countByKey.compute(
        key,
        (_, count) -> {
          int now = count == null ? 0 : count;
          got[0] = now < limit;
          return got[0] ? Integer.valueOf(now + 1) : count;
        });
    return got[0];
  }

  void give(String key) {
    countByKey.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
  }

  int keys() {
    return countByKey.size();
  }
}
