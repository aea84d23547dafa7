package dev.trainyard.server.user;

import java.util.HashMap;
import java.util.Map;

/** Counts operations in progress by key. Not thread-safe. */
public final class InProgressCounter {
  private final Map<String, Integer> counts = new HashMap<>();

  public int count(String key) {
    return counts.getOrDefault(key, 0);
  }

  public void begin(String key) {
    counts.merge(key, 1, Integer::sum);
  }

  public void end(String key) {
    counts.computeIfPresent(key, (_, count) -> count > 1 ? count - 1 : null);
  }
}
