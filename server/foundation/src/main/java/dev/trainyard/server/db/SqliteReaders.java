package dev.trainyard.server.db;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import org.jdbi.v3.core.Handle;

/**
 * A small pool of read-only connections, opened on demand. They never wait for the writer: each
 * read sees the last commit before its first query. Thread-safe.
 */
final class SqliteReaders implements AutoCloseable {
  private static final int MAX_CONNECTIONS =
      Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  private final SqliteConnections connections;
  private final Semaphore permits = new Semaphore(MAX_CONNECTIONS, true);
  private final Deque<Handle> idle = new ArrayDeque<>();
  private boolean closed;

  SqliteReaders(SqliteConnections connections) {
    this.connections = connections;
  }

  <T> T read(Db.Transaction<T> transaction) {
    permits.acquireUninterruptibly();
    try {
      Handle handle = takeHandle();
      boolean isReusable = false;
      try {
        SqliteConnections.run(handle, "begin deferred");
        try {
          return transaction.run(handle);
        } finally {
          handle.clean();
          SqliteConnections.run(handle, "rollback");
          isReusable = true;
        }
      } finally {
        release(handle, isReusable);
      }
    } finally {
      permits.release();
    }
  }

  private Handle takeHandle() {
    synchronized (idle) {
      if (closed) {
        throw new IllegalStateException("the database is closed");
      }
      Handle handle = idle.pollFirst();
      if (handle != null) {
        return handle;
      }
    }
    return connections.openForReading();
  }

  /**
   * Returns a connection to the pool. If its transaction could not be rolled back, the connection
   * is closed, which ends the transaction in any state.
   */
  private void release(Handle handle, boolean isReusable) {
    synchronized (idle) {
      if (isReusable && !closed) {
        idle.addFirst(handle);
        return;
      }
    }
    handle.close();
  }

  /** Waits for the reads in progress. */
  @Override
  public void close() {
    synchronized (idle) {
      closed = true;
    }
    permits.acquireUninterruptibly(MAX_CONNECTIONS);
    idle.forEach(Handle::close);
    idle.clear();
    permits.release(MAX_CONNECTIONS);
  }
}
