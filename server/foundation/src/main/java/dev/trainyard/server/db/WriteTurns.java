package dev.trainyard.server.db;

import dev.trainyard.server.work.Requester;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.ConnectionException;

/**
 * Admits a number of concurrent writes; further ones wait in a {@link WriteQueue}, in which users
 * take turns. Thread-safe.
 */
final class WriteTurns {
  private final WriteQueue<CompletableFuture<Void>> queue = new WriteQueue<>();
  private final Duration longest;
  private int free;

  /**
   * @param longest maximum time to wait, because in an outage each admitted write waits for its
   *     connection
   */
  WriteTurns(int maxConnections, Duration longest) {
    this.free = maxConnections;
    this.longest = longest;
  }

  /**
   * Waits for admission, also if the thread is interrupted. The caller must call {@link #end}.
   *
   * @throws ConnectionException if the time is over
   */
  void begin() {
    CompletableFuture<Void> admitted = new CompletableFuture<>();
    synchronized (this) {
      if (free > 0) {
        free--;
        return;
      }
      queue.add(Requester.current(), admitted);
    }
    try {
      admitted.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS).join();
    } catch (CompletionException e) {
      throw new ConnectionException(
          new SQLTransientConnectionException("too many writes wait for a connection", e));
    }
  }

  void end() {
    CompletableFuture<Void> next;
    do {
      synchronized (this) {
        next = queue.poll();
        if (next == null) {
          free++;
          return;
        }
      }
    } while (!next.complete(null)); // its time was over
  }

  int waiting() {
    return queue.size();
  }
}
