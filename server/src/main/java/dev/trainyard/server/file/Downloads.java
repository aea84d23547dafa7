package dev.trainyard.server.file;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.work.Requester;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Limits how many downloads each user has at once: each holds file descriptors. Thread-safe. */
final class Downloads {
  private static final int MOST = 16;
  private static final long RETRY_SECONDS = 5;

  private final Map<String, Integer> open = new HashMap<>();

  /** Counts a download until the current request ends; TOO_MANY_REQUESTS beyond the limit. */
  void begin(String userId) {
    synchronized (this) {
      int now = open.getOrDefault(userId, 0);
      if (now >= MOST) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of("error.too-many-downloads", "most", MOST).with("seconds", RETRY_SECONDS));
      }
      open.put(userId, now + 1);
    }
    AtomicBoolean ended = new AtomicBoolean();
    Requester.current()
        .onGone(
            () -> {
              if (ended.compareAndSet(false, true)) {
                end(userId);
              }
            });
  }

  private synchronized void end(String userId) {
    open.computeIfPresent(userId, (_, count) -> count == 1 ? null : count - 1);
  }
}
