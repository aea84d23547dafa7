package dev.trainyard.server.limit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Limits the number of concurrent uses per key. Callers must release every slot they acquire.
 * Thread-safe.
 */
final class ConcurrencyLimiter {
  private final int most;
  private final ConcurrentMap<String, Integer> taken = new ConcurrentHashMap<>();

  ConcurrencyLimiter(int most) {
    this.most = most;
  }

  /** Returns whether a slot was available. */
  boolean take(String key) {
    boolean[] got = new boolean[1];
    taken.compute(
        key,
        (_, count) -> {
          int now = count == null ? 0 : count;
          got[0] = now < most;
          return got[0] ? Integer.valueOf(now + 1) : count;
        });
    return got[0];
  }

  void give(String key) {
    taken.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
  }

  int keys() {
    return taken.size();
  }
}
