package dev.trainyard.server.exec;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.Map;

/** Limits the number of concurrent commands per user. Thread-safe. */
public final class ExecLimiter {
  private final int limit;
  private final Map<String, Integer> countByUser = new HashMap<>();

  public ExecLimiter(int limit) {
    this.limit = limit;
  }

  synchronized void acquire(String userId) {
    int currentCount = countByUser.getOrDefault(userId, 0);
    if (currentCount >= limit) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS, Message.of("error.too-many-execs", "most", limit));
    }
    countByUser.put(userId, currentCount + 1);
  }

  synchronized void release(String userId) {
    countByUser.computeIfPresent(userId, (_, count) -> count == 1 ? null : count - 1);
  }
}
