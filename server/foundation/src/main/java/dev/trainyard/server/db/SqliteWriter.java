package dev.trainyard.server.db;

import dev.trainyard.server.work.Requester;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that executes every write. A commit waits for the disk; writes that arrive in the
 * meantime share the next transaction, each behind its own savepoint. Users take turns, so many
 * writes of one user do not delay those of others. Thread-safe.
 */
final class SqliteWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
  private static final int MAX_BATCH_SIZE = 400;

  /**
   * After this time a transaction gets no further writes, because all its callers wait for the
   * commit.
   */
  private static final long MAX_BATCH_NANOS = Duration.ofMillis(100).toNanos();

  private final SqliteConnections connections;
  private final WriteObserver observer;
  private final WriteQueue<PendingWrite<?>> queue = new WriteQueue<>();
  private final Thread thread;
  private Handle handle;

  /** A queued write; its result is returned only after the commit. */
  private static final class PendingWrite<T> {
    private final Db.Transaction<T> transaction;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private T result;

    PendingWrite(Db.Transaction<T> transaction) {
      this.transaction = transaction;
    }

    void run(Handle handle) {
      result = transaction.run(handle);
    }

    void succeed() {
      future.complete(result);
    }
  }

  SqliteWriter(SqliteConnections connections, WriteObserver observer) {
    this.connections = connections;
    this.observer = observer;
    this.handle = connections.openForWriting();
    this.thread = Thread.ofPlatform().name("db-writer").start(this::loop);
  }

  <T> CompletableFuture<T> submit(Db.Transaction<T> transaction) {
    if (thread.equals(Thread.currentThread())) {
      throw new IllegalStateException(
          "a write must not start another write: it would wait for itself");
    }
    PendingWrite<T> pending = new PendingWrite<>(transaction);
    queue.add(Requester.current(), pending);
    return pending.future;
  }

  int queuedWrites() {
    return queue.size();
  }

  /** Executes all queued writes, then ends the thread. */
  @Override
  public void close() {
    queue.close();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void loop() {
    while (true) {
      PendingWrite<?> first;
      try {
        first = queue.take();
      } catch (InterruptedException e) {
        // This thread is not stopped by an interrupt, but through the queue.
        continue;
      }
      if (first == null) {
        break;
      }
      commit(first);
    }
    closeHandle();
  }

  /**
   * Executes a write and further ones from the queue in one transaction, and completes all of them.
   * Each is taken from the queue only when its turn has come, so that a write of another user that
   * arrives meanwhile does not wait for the whole transaction.
   */
  private void commit(PendingWrite<?> first) {
    long startNanos = System.nanoTime();
    List<PendingWrite<?>> batch = new ArrayList<>();
    batch.add(first);
    List<PendingWrite<?>> succeeded = new ArrayList<>();
    try {
      if (handle == null) {
        handle = connections.openForWriting();
      }
      SqliteConnections.run(handle, "begin immediate");
      for (PendingWrite<?> pending = first; pending != null; pending = next(batch, startNanos)) {
        if (runInSavepoint(pending)) {
          succeeded.add(pending);
        }
      }
      SqliteConnections.run(handle, "commit");
    } catch (RuntimeException | Error e) {
      LOG.error("a transaction of {} writes failed", batch.size(), e);
      // Closing the connection rolls back, whatever its state is.
      closeHandle();
      for (PendingWrite<?> pending : batch) {
        pending.future.completeExceptionally(new TransactionException("the write failed", e));
      }
      return;
    }
    observer.committed(succeeded.size(), Duration.ofNanos(System.nanoTime() - startNanos));
    succeeded.forEach(PendingWrite::succeed);
  }

  /**
   * Adds another queued write to the batch and returns it; returns null if the transaction must end
   * now.
   */
  private PendingWrite<?> next(List<PendingWrite<?>> batch, long startNanos) {
    if (batch.size() >= MAX_BATCH_SIZE || System.nanoTime() - startNanos > MAX_BATCH_NANOS) {
      return null;
    }
    PendingWrite<?> next = queue.poll();
    if (next != null) {
      batch.add(next);
    }
    return next;
  }

  /**
   * Executes one write behind a savepoint. If it fails, only this write fails; if the savepoint
   * itself is lost (on a full disk SQLite rolls back the whole transaction), the exception applies
   * to the whole batch.
   */
  private boolean runInSavepoint(PendingWrite<?> pending) {
    SqliteConnections.run(handle, "savepoint work");
    try {
      pending.run(handle);
      handle.clean();
    } catch (RuntimeException | Error e) {
      try {
        handle.clean();
        SqliteConnections.run(handle, "rollback to work");
        SqliteConnections.run(handle, "release work");
      } catch (RuntimeException rollbackFailure) {
        pending.future.completeExceptionally(e);
        throw rollbackFailure;
      }
      pending.future.completeExceptionally(e);
      return false;
    }
    SqliteConnections.run(handle, "release work");
    return true;
  }

  private void closeHandle() {
    if (handle != null) {
      try {
        handle.close();
      } catch (RuntimeException e) {
        LOG.warn("failed to close the database connection", e);
      }
      handle = null;
    }
  }
}
