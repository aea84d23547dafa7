package dev.trainyard.server.db;

import dev.trainyard.server.work.Requester;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.ConnectionException;

/**
 * Admits as many concurrent transactions as a pool has connections. Further transactions wait in a
 * {@link WriteQueue}, which serves the users in turn. Thread-safe.
 */
final class ConnectionTurns {
  private final WriteQueue<CompletableFuture<Void>> queue = new WriteQueue<>();
  private final Duration maxWait;
  private int freeSlots;

  /**
   * @param maxWait maximum time to wait for admission; limited because in an outage every admitted
   *     transaction occupies its slot while it waits for a connection
   */
  ConnectionTurns(int maxConnections, Duration maxWait) {
    this.freeSlots = maxConnections;
    this.maxWait = maxWait;
  }

  /**
   * Waits for admission, even if the thread is interrupted. After the transaction, the caller must
   * call {@link #end}.
   *
   * @throws ConnectionException if the maximum time has elapsed
   */
  void begin() {
    CompletableFuture<Void> admission = new CompletableFuture<>();
    synchronized (this) {
      if (freeSlots > 0) {
        freeSlots--;
        return;
      }
      queue.add(Requester.current(), admission);
    }
    try {
      admission.orTimeout(maxWait.toMillis(), TimeUnit.MILLISECONDS).join();
    } catch (CompletionException e) {
      throw new ConnectionException(
          new SQLTransientConnectionException("too many transactions wait for a connection", e));
    }
  }

  void end() {
    CompletableFuture<Void> next;
    do {
      synchronized (this) {
        next = queue.poll();
        if (next == null) {
          freeSlots++;
          return;
        }
      }
    } while (!next.complete(null)); // false if this transaction has timed out
  }

  int queued() {
    return queue.size();
  }
}
