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
  private static final int LIMIT = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  private final SqliteConnections connections;
  private final Semaphore permits = new Semaphore(LIMIT, true);
  private final Deque<Handle> idle = new ArrayDeque<>();
  private boolean closed;

  SqliteReaders(SqliteConnections connections) {
    this.connections = connections;
  }

  <T> T read(Db.Transaction<T> work) {
    permits.acquireUninterruptibly();
    try {
      Handle handle = take();
      boolean sound = false;
      try {
        SqliteConnections.run(handle, "begin deferred");
        try {
          return work.run(handle);
        } finally {
          handle.clean();
          SqliteConnections.run(handle, "rollback");
          sound = true;
        }
      } finally {
        release(handle, sound);
      }
    } finally {
      permits.release();
    }
  }

  private Handle take() {
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
   * A connection whose transaction threw is closed, which ends the transaction whatever its state
   * is.
   */
  private void release(Handle handle, boolean sound) {
    synchronized (idle) {
      if (sound && !closed) {
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
    permits.acquireUninterruptibly(LIMIT);
    idle.forEach(Handle::close);
    idle.clear();
    permits.release(LIMIT);
  }
}
