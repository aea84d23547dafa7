package dev.trainyard.server.work;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits the requests of one user that are processed at a time. Virtual threads are scheduled in
 * the order in which they become runnable, so hundreds of requests of one user would delay the
 * requests of all others. Further requests of the same user wait for their turn, in the order of
 * arrival; other users are not affected. A request that waits for a network or a disk gives its
 * turn back early ({@link Requester#endTurn}). Thread-safe.
 */
public final class RequestGate {
  private static final long RETRY_SECONDS = 2;

  private final int limit;
  private final int mostQueued;
  private final Map<String, Line> lines = new HashMap<>();

  /** The requests of one user. */
  private static final class Line {
    private final Set<CompletableFuture<Void>> queued = new LinkedHashSet<>();
    private int running;
  }

  /** The right to be processed; given back when it is closed. */
  @FunctionalInterface
  public interface Turn extends AutoCloseable {
    Turn UNLIMITED = () -> {};

    @Override
    void close();
  }

  /**
   * @param limit number of requests of one user that are processed at a time
   * @param mostQueued number of further requests of one user; more are rejected
   */
  public RequestGate(int limit, int mostQueued) {
    this.limit = limit;
    this.mostQueued = mostQueued;
  }

  /**
   * Waits until a request of this user may be processed.
   *
   * @throws WorkCanceledException if the client of the current request disconnects before that
   */
  public Turn enter(String userKey) {
    Requester requester = Requester.current();
    CompletableFuture<Void> admitted = new CompletableFuture<>();
    if (!begin(userKey, admitted)) {
      Runnable cancellation = () -> cancel(userKey, admitted);
      requester.onGone(cancellation);
      try {
        admitted.join();
      } catch (CompletionException e) {
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

  /** Returns whether the request may be processed immediately; otherwise it is queued. */
  private synchronized boolean begin(String userKey, CompletableFuture<Void> admitted) {
    Line line = lines.computeIfAbsent(userKey, _ -> new Line());
    if (line.running < limit) {
      line.running++;
      return true;
    }
    if (line.queued.size() >= mostQueued) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-much-work", "most", mostQueued).with("seconds", RETRY_SECONDS));
    }
    line.queued.add(admitted);
    return false;
  }

  // Futures are compared by identity: each belongs to one request.
  @SuppressWarnings("ReferenceEquality")
  private void cancel(String userKey, CompletableFuture<Void> admitted) {
    boolean removed;
    synchronized (this) {
      Line line = lines.get(userKey);
      removed = line != null && line.queued.removeIf(queued -> queued == admitted);
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

  /** Returns the request that takes over the turn, or null if none is queued. */
  private synchronized CompletableFuture<Void> next(String userKey) {
    Line line = lines.get(userKey);
    Iterator<CompletableFuture<Void>> queued = line.queued.iterator();
    if (queued.hasNext()) {
      CompletableFuture<Void> next = queued.next();
      queued.remove();
      return next;
    }
    line.running--;
    if (line.running == 0) {
      lines.remove(userKey);
    }
    return null;
  }

  /** Returns the number of requests of all users that wait for their turn. */
  public synchronized int queued() {
    return lines.values().stream().mapToInt(line -> line.queued.size()).sum();
  }
}
