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

  /** A transaction that took longer is committed, because all its callers wait for the commit. */
  private static final long MAX_BATCH_NANOS = Duration.ofMillis(100).toNanos();

  private final SqliteConnections connections;
  private final WriteObserver observer;
  private final WriteQueue<Pending<?>> queue = new WriteQueue<>();
  private final Thread thread;
  private Handle handle;

  /** A queued write; its result is returned only after the commit. */
  private static final class Pending<T> {
    private final Db.Work<T> work;
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private T result;

    Pending(Db.Work<T> work) {
      this.work = work;
    }

    void run(Handle handle) {
      result = work.run(handle);
    }

    void succeed() {
      done.complete(result);
    }
  }

  SqliteWriter(SqliteConnections connections, WriteObserver observer) {
    this.connections = connections;
    this.observer = observer;
    this.handle = connections.openForWriting();
    this.thread = Thread.ofPlatform().name("db-writer").start(this::loop);
  }

  <T> CompletableFuture<T> submit(Db.Work<T> work) {
    if (thread.equals(Thread.currentThread())) {
      throw new IllegalStateException(
          "a write must not start another write: it would wait for itself");
    }
    Pending<T> pending = new Pending<>(work);
    queue.add(Requester.current(), pending);
    return pending.done;
  }

  int waiting() {
    return queue.size();
  }

  /** Executes all queued writes, then ends. */
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
      Pending<?> first;
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
  private void commit(Pending<?> first) {
    long begun = System.nanoTime();
    List<Pending<?>> taken = new ArrayList<>();
    taken.add(first);
    List<Pending<?>> good = new ArrayList<>();
    try {
      if (handle == null) {
        handle = connections.openForWriting();
      }
      SqliteConnections.run(handle, "begin immediate");
      for (Pending<?> pending = first; pending != null; pending = next(taken, begun)) {
        if (runAlone(pending)) {
          good.add(pending);
        }
      }
      SqliteConnections.run(handle, "commit");
    } catch (RuntimeException | Error e) {
      LOG.error("a transaction of {} writes failed", taken.size(), e);
      // Closing the connection rolls back, whatever its state is.
      closeHandle();
      for (Pending<?> pending : taken) {
        pending.done.completeExceptionally(new TransactionException("the write failed", e));
      }
      return;
    }
    observer.committed(good.size(), Duration.ofNanos(System.nanoTime() - begun));
    good.forEach(Pending::succeed);
  }

  /** Takes another write for the transaction; null if the transaction ends here. */
  private Pending<?> next(List<Pending<?>> taken, long begun) {
    if (taken.size() >= MAX_BATCH_SIZE || System.nanoTime() - begun > MAX_BATCH_NANOS) {
      return null;
    }
    Pending<?> next = queue.poll();
    if (next != null) {
      taken.add(next);
    }
    return next;
  }

  /**
   * Executes one write behind a savepoint. If it fails, only this write fails; if the savepoint
   * itself is lost (on a full disk SQLite rolls back the whole transaction), the exception applies
   * to the whole batch.
   */
  private boolean runAlone(Pending<?> pending) {
    SqliteConnections.run(handle, "savepoint work");
    try {
      pending.run(handle);
      handle.clean();
    } catch (RuntimeException | Error e) {
      try {
        handle.clean();
        SqliteConnections.run(handle, "rollback to work");
        SqliteConnections.run(handle, "release work");
      } catch (RuntimeException lost) {
        pending.done.completeExceptionally(e);
        throw lost;
      }
      pending.done.completeExceptionally(e);
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
