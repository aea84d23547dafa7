package dev.trainyard.server.exec;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.Map;

/** Limits the number of concurrent commands per user. Thread-safe. */
public final class ExecLimiter {
  private final int most;
  private final Map<String, Integer> taken = new HashMap<>();

  public ExecLimiter(int most) {
    this.most = most;
  }

  synchronized void acquire(String userId) {
    int now = taken.getOrDefault(userId, 0);
    if (now >= most) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS, Message.of("error.too-many-execs", "most", most));
    }
    taken.put(userId, now + 1);
  }

  synchronized void release(String userId) {
    taken.computeIfPresent(userId, (_, count) -> count == 1 ? null : count - 1);
  }
}
