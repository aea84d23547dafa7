package dev.trainyard.server.work;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits the requests of one user that are processed at a time. Further requests of the same user
 * wait for their turn, in the order of arrival. Without this limit, hundreds of requests of one
 * user would delay the requests of all other users, because virtual threads are scheduled in the
 * order in which they become runnable. A request that waits for a network or a disk ends its turn
 * early ({@link Requester#endTurn}). Thread-safe.
 */
public final class RequestGate {
  private static final long RETRY_SECONDS = 2;

  private final int limit;
  private final int maxQueued;
  private final Map<String, UserQueue> queues = new HashMap<>();

  /** The requests of one user. */
  private static final class UserQueue {
    private final Set<CompletableFuture<Void>> queued = new LinkedHashSet<>();
    private int running;
  }

  /** Permission for a request to be processed; ends when it is closed. */
  @FunctionalInterface
  public interface Turn extends AutoCloseable {
    Turn UNLIMITED = () -> {};

    @Override
    void close();
  }

  /**
   * @param limit maximum number of requests of one user that are processed at a time
   * @param maxQueued maximum number of waiting requests of one user; further requests are rejected
   */
  public RequestGate(int limit, int maxQueued) {
    this.limit = limit;
    this.maxQueued = maxQueued;
  }

  /**
   * Waits until a request of this user may be processed.
   *
   * @throws WorkCanceledException if the client of the current request disconnects before the turn
   *     begins
   */
  public Turn enter(String userKey) {
    Requester requester = Requester.current();
    CompletableFuture<Void> admitted = new CompletableFuture<>();
    if (!begin(userKey, admitted)) {
      Runnable cancellation = () -> cancel(userKey, admitted);
      requester.onEnd(cancellation);
      try {
        admitted.join();
      } catch (CancellationException e) {
        throw new WorkCanceledException();
      } finally {
        requester.forget(cancellation);
      }
    }
    AtomicBoolean ended = new AtomicBoolean();
    Turn turn =
        () -> {
          if (ended.compareAndSet(false, true)) {
            end(userKey);
          }
        };
    requester.turn(turn);
    return turn;
  }

  /**
   * Returns true if the request may be processed immediately; if not, queues it and returns false.
   */
  private synchronized boolean begin(String userKey, CompletableFuture<Void> admitted) {
    UserQueue userQueue = queues.computeIfAbsent(userKey, _ -> new UserQueue());
    if (userQueue.running < limit) {
      userQueue.running++;
      return true;
    }
    if (userQueue.queued.size() >= maxQueued) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-much-work", "most", maxQueued).with("seconds", RETRY_SECONDS));
    }
    userQueue.queued.add(admitted);
    return false;
  }

  // Futures are compared by identity, because each future belongs to one request.
  @SuppressWarnings("ReferenceEquality")
  private void cancel(String userKey, CompletableFuture<Void> admitted) {
    boolean removed;
    synchronized (this) {
      UserQueue userQueue = queues.get(userKey);
      removed = userQueue != null && userQueue.queued.removeIf(queued -> queued == admitted);
    }
    if (removed) {
      admitted.completeExceptionally(new WorkCanceledException());
    }
  }

  private void end(String userKey) {
    CompletableFuture<Void> next = next(userKey);
    if (next != null) {
      next.complete(null);
    }
  }

  /** Ends a turn, and returns the queued request whose turn begins, or null if none is queued. */
  private synchronized CompletableFuture<Void> next(String userKey) {
    UserQueue userQueue = queues.get(userKey);
    Iterator<CompletableFuture<Void>> queued = userQueue.queued.iterator();
    if (queued.hasNext()) {
      CompletableFuture<Void> next = queued.next();
      queued.remove();
      return next;
    }
    userQueue.running--;
    if (userQueue.running == 0) {
      queues.remove(userKey);
    }
    return null;
  }

  /** Returns the number of requests of all users that wait for their turn. */
  public synchronized int queued() {
    return queues.values().stream().mapToInt(userQueue -> userQueue.queued.size()).sum();
  }
}
