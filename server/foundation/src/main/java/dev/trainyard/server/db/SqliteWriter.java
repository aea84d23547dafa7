package dev.trainyard.server.db;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that executes every write. A commit waits for the disk; writes that arrive in the
 * meantime share the next transaction, each behind its own savepoint. Thread-safe.
 */
final class SqliteWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);
  private static final int LARGEST_BATCH = 400;

  private final SqliteConnections connections;
  private final WriteObserver observer;
  private final BlockingQueue<Pending<?>> queue = new LinkedBlockingQueue<>();
  private final Thread thread;
  private boolean closed;
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
    add(pending);
    return pending.done;
  }

  private synchronized void add(Pending<?> pending) {
    if (closed) {
      throw new IllegalStateException("the database is closed");
    }
    queue.add(pending);
  }

  int waiting() {
    return queue.size();
  }

  /** Executes all queued writes, then ends. */
  @Override
  public void close() {
    synchronized (this) {
      if (!closed) {
        closed = true;
        queue.add(new Pending<Object>(null));
      }
    }
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
    List<Pending<?>> batch = new ArrayList<>(LARGEST_BATCH);
    boolean last = false;
    while (!last) {
      try {
        batch.add(queue.take());
      } catch (InterruptedException e) {
        // This thread is not stopped by an interrupt, but through the queue.
        continue;
      }
      queue.drainTo(batch, LARGEST_BATCH - 1);
      last = batch.removeIf(pending -> pending.work == null);
      while (!batch.isEmpty()) {
        commit(batch);
      }
    }
    closeHandle();
  }

  /**
   * Executes writes from the front of the batch in one transaction, and completes every write that
   * it removes from the batch.
   */
  private void commit(List<Pending<?>> batch) {
    long begun = System.nanoTime();
    List<Pending<?>> good = new ArrayList<>(batch.size());
    int taken = 0;
    try {
      if (handle == null) {
        handle = connections.openForWriting();
      }
      SqliteConnections.run(handle, "begin immediate");
      for (Pending<?> pending : batch) {
        taken++;
        if (runAlone(pending)) {
          good.add(pending);
        }
      }
      SqliteConnections.run(handle, "commit");
    } catch (RuntimeException | Error e) {
      LOG.error("a transaction of {} writes failed", Math.max(taken, 1), e);
      // Closing the connection rolls back, whatever its state is.
      closeHandle();
      for (Pending<?> pending : batch.subList(0, Math.max(taken, 1))) {
        pending.done.completeExceptionally(new TransactionException("the write failed", e));
      }
      batch.subList(0, Math.max(taken, 1)).clear();
      return;
    }
    observer.committed(good.size(), Duration.ofNanos(System.nanoTime() - begun));
    good.forEach(Pending::succeed);
    batch.clear();
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
