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

  /** Acquires a slot if one is available; returns whether it did. */
  boolean tryAcquire(String key) {
    boolean[] acquired = new boolean[1];
    countByKey.compute(
        key,
        (_, count) -> {
          int current = count == null ? 0 : count;
          acquired[0] = current < limit;
          return acquired[0] ? Integer.valueOf(current + 1) : count;
        });
    return acquired[0];
  }

  void release(String key) {
    countByKey.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
  }

  int keys() {
    return countByKey.size();
  }
}
