package dev.trainyard.server.work;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Limits the number of concurrent downloads of one kind per user. Thread-safe. */
public final class Downloads {
  private static final long RETRY_SECONDS = 5;

  private final int limit;
  private final String message;
  private final Map<String, Integer> countByUser = new HashMap<>();

  public Downloads(int limit) {
    this(limit, "error.too-many-downloads");
  }

  private Downloads(int limit, String message) {
    this.limit = limit;
    this.message = message;
  }

  /** Returns a limit for uploads instead, which differs only in its message. */
  public static Downloads ofUploads(int limit) {
    return new Downloads(limit, "error.too-many-uploads");
  }

  /**
   * Counts a download until the current request ends; throws TOO_MANY_REQUESTS if the user has
   * reached the limit.
   */
  public void begin(String userId) {
    synchronized (this) {
      int current = countByUser.getOrDefault(userId, 0);
      if (current >= limit) {
        throw new AppException(
            ErrorCode.TOO_MANY_REQUESTS,
            Message.of(message, "most", limit).with("seconds", RETRY_SECONDS));
      }
      countByUser.put(userId, current + 1);
    }
    AtomicBoolean ended = new AtomicBoolean();
    Requester.current()
        .onEnd(
            () -> {
              if (ended.compareAndSet(false, true)) {
                end(userId);
              }
            });
  }

  private synchronized void end(String userId) {
    countByUser.computeIfPresent(userId, (_, count) -> count == 1 ? null : count - 1);
  }
}
