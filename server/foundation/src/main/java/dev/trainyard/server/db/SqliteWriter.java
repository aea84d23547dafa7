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
 * The thread that executes every write. A commit waits for the disk; the writes that arrive in the
 * meantime share the next transaction, in which each write has its own savepoint. Users take turns,
 * so a user with many writes does not delay the writes of others. Thread-safe.
 */
final class SqliteWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
  private static final int MAX_BATCH_SIZE = 400;

  /**
   * After this time, no write is added to a transaction, because the callers of all its writes wait
   * for the commit.
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
        // This thread ends when the queue is closed, not when it is interrupted.
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
   * Executes a write, and further writes from the queue, in one transaction and completes all of
   * them. A write is taken from the queue only directly before it is executed, so that a write of
   * another user that arrives in the meantime can still join this transaction.
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
      // Closing the connection rolls back the transaction in any state.
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
   * Adds the next queued write to the batch and returns the write; returns null if the transaction
   * must be committed now.
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
   * Executes one write in a savepoint and returns whether it succeeded. If the write fails, only
   * its caller gets the exception. If the savepoint is lost, because SQLite rolls back the whole
   * transaction on a full disk, throws an exception for the whole batch.
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
