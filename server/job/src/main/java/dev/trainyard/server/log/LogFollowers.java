package dev.trainyard.server.log;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts the followers of logs, limits their number per user, and determines how often followers
 * may read. A log may change thousands of times per second, so without a minimum interval, the
 * followers of one user could occupy all processors. Thread-safe.
 */
final class LogFollowers {
  /** Sufficient for two commands that each follow the two logs of 64 tasks. */
  static final int MAX_PER_USER = 256;

  private static final int RETRY_SECONDS = 5;

  /** All followers of a user together read at most 200 times per second. */
  private static final Duration INTERVAL_PER_OWN = Duration.ofMillis(5);

  /** All followers together read at most 2,000 times per second. */
  private static final Duration INTERVAL_PER_ANY = Duration.ofNanos(500_000);

  private static final Duration MAX_INTERVAL = Duration.ofSeconds(5);

  private final ConcurrentMap<String, Integer> countByUser = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  private enum SlotState {
    RESERVED,
    STARTED,
    RELEASED
  }

  /** The slot of a follower, reserved before the response begins. */
  final class Slot implements AutoCloseable {
    private final String userId;
    private final AtomicReference<SlotState> state = new AtomicReference<>(SlotState.RESERVED);

    private Slot(String userId) {
      this.userId = userId;
    }

    /**
     * Starts following; the slot is then occupied until {@link #close}.
     *
     * @throws IOException if the client has already disconnected
     */
    void start() throws IOException {
      if (!state.compareAndSet(SlotState.RESERVED, SlotState.STARTED)) {
        throw new IOException("the client has disconnected");
      }
    }

    /** Releases the slot if following has not started, because the response was never sent. */
    private void releaseUnlessStarted() {
      if (state.compareAndSet(SlotState.RESERVED, SlotState.RELEASED)) {
        subtract(userId);
      }
    }

    /** Returns the minimum time between two reads. */
    Duration interval() {
      return LogFollowers.interval(countByUser.getOrDefault(userId, 0), count.get());
    }

    @Override
    public void close() {
      if (state.getAndSet(SlotState.RELEASED) != SlotState.RELEASED) {
        subtract(userId);
      }
    }
  }

  private void subtract(String userId) {
    countByUser.computeIfPresent(userId, (_, own) -> own == 1 ? null : own - 1);
    count.decrementAndGet();
  }

  static Duration interval(int own, int all) {
    Duration byUser = INTERVAL_PER_OWN.multipliedBy(own);
    Duration byAll = INTERVAL_PER_ANY.multipliedBy(all);
    Duration longer = byUser.compareTo(byAll) > 0 ? byUser : byAll;
    return longer.compareTo(MAX_INTERVAL) > 0 ? MAX_INTERVAL : longer;
  }

  /**
   * Reserves a slot for the current request, before its response begins. If the request ends before
   * following has started, the slot is released.
   *
   * @throws AppException with TOO_MANY_REQUESTS if the user has no free slot
   */
  Slot reserve(String userId) {
    int own = countByUser.merge(userId, 1, Integer::sum);
    count.incrementAndGet();
    if (own > MAX_PER_USER) {
      subtract(userId);
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-many-followers", "most", MAX_PER_USER)
              .with("seconds", RETRY_SECONDS));
    }
    Slot slot = new Slot(userId);
    Requester.current().onEnd(slot::releaseUnlessStarted);
    return slot;
  }

  int count() {
    return count.get();
  }
}
