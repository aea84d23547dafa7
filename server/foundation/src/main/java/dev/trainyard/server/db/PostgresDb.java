package dev.trainyard.server.db;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * PostgreSQL database. Writes are serializable, so that a store can check a condition and then act
 * on it, exactly as with SQLite's single writer. After a serialization failure, a transaction is
 * retried while it holds a lock that only retries acquire, so it can conflict only with first
 * attempts: contention costs time, but hardly ever causes failures. While all connections are in
 * use, users take turns, for writes as well as for reads.
 *
 * <p>Every write passes through {@link #attempt}, which checks in the same transaction that this
 * server still leads, and determines the outcome of a COMMIT whose response was lost.
 */
public final class PostgresDb implements Db {
  private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01");
  private static final int MAX_ATTEMPTS = 50;

  private final HikariDataSource writerPool;
  private final HikariDataSource readerPool;
  private final Jdbi writers;
  private final Jdbi readers;
  private final WriteFence fence;
  private final CommitOutcome outcomes;
  private final WriteObserver observer;
  private final ReentrantLock retryLock = new ReentrantLock(true);
  private final ConnectionTurns writeTurns =
      new ConnectionTurns(PostgresConnections.WRITERS, PostgresConnections.CONNECTION_TIMEOUT);
  private final ConnectionTurns readTurns =
      new ConnectionTurns(PostgresConnections.READERS, PostgresConnections.CONNECTION_TIMEOUT);
  private final AtomicInteger pendingCount = new AtomicInteger();
  private final AtomicLong unknownOutcomes = new AtomicLong();

  private PostgresDb(
      PostgresConnections connections,
      HikariDataSource writerPool,
      HikariDataSource readerPool,
      WriteFence fence,
      WriteObserver observer) {
    this.writerPool = writerPool;
    this.readerPool = readerPool;
    this.writers = SqlCaches.jdbi(writerPool);
    this.readers = SqlCaches.jdbi(readerPool);
    this.fence = fence;
    this.outcomes = new CommitOutcome(connections.withShortTimeouts());
    this.observer = observer;
  }

  /** Opens a database that no other server uses. */
  public static PostgresDb open(String url, WriteObserver observer) {
    return open(url, observer, WriteFence.NONE);
  }

  /**
   * @param fence checks in every write that this server leads
   */
  static PostgresDb open(String url, WriteObserver observer, WriteFence fence) {
    PostgresConnections connections = new PostgresConnections(url);
    StartFailure.connect(connections, url);
    StartFailure.update(connections, url);
    HikariDataSource writers = connections.writers();
    try {
      return new PostgresDb(connections, writers, connections.readers(), fence, observer);
    } catch (RuntimeException e) {
      writers.close();
      throw e;
    }
  }

  @Override
  public <T> T write(Transaction<T> transaction) {
    pendingCount.incrementAndGet();
    try {
      return attemptOrRetry(transaction);
    } finally {
      pendingCount.decrementAndGet();
    }
  }

  private <T> T attemptOrRetry(Transaction<T> transaction) {
    try {
      return attempt(transaction);
    } catch (RuntimeException e) {
      if (!isConflict(e)) {
        throw e;
      }
      return retry(transaction, e);
    }
  }

  private <T> T retry(Transaction<T> transaction, RuntimeException first) {
    RuntimeException last = first;
    retryLock.lock();
    try {
      for (int i = 1; i < MAX_ATTEMPTS; i++) {
        observer.retried();
        try {
          return attempt(transaction);
        } catch (RuntimeException e) {
          if (!isConflict(e)) {
            throw e;
          }
          last = e;
        }
      }
    } finally {
      retryLock.unlock();
    }
    throw last;
  }

  /**
   * Performs the transaction once. A slot of {@link #writeTurns} is held only while a connection is
   * in use, so a write that waits for other retries, or for the outcome of a COMMIT, does not delay
   * others.
   */
  private <T> T attempt(Transaction<T> transaction) {
    long startNanos = System.nanoTime();
    Attempt<T> attempt = new Attempt<>(transaction);
    writeTurns.begin();
    try {
      attempt.run();
    } finally {
      writeTurns.end();
    }
    attempt.requireCommitted();
    observer.committed(1, Duration.ofNanos(System.nanoTime() - startNanos));
    return attempt.result;
  }

  /** One attempt to perform a transaction. */
  private final class Attempt<T> {
    private final Transaction<T> transaction;
    private T result;
    private long transactionId;

    /** Failure of a COMMIT that lost the connection; null if the outcome is known. */
    private RuntimeException lostCommit;

    Attempt(Transaction<T> transaction) {
      this.transaction = transaction;
    }

    void run() {
      try (Handle handle = writers.open()) {
        handle.begin();
        try {
          transactionId = fence.enter(handle);
          result = transaction.run(handle);
        } catch (RuntimeException | Error e) {
          rollBack(handle, e);
          throw e;
        }
        commit(handle);
      } catch (RuntimeException e) {
        if (lostCommit == null) {
          throw e;
        }
        lostCommit.addSuppressed(e); // the lost connection cannot be closed properly
      }
    }

    private void commit(Handle handle) {
      try {
        handle.commit();
      } catch (RuntimeException e) {
        if (!Outages.isConnectionLost(e)) {
          throw e;
        }
        lostCommit = e;
      }
    }

    /**
     * Returns if the transaction is durable, even if the response of COMMIT was lost; otherwise
     * throws the failure.
     */
    void requireCommitted() {
      if (lostCommit == null) {
        return;
      }
      switch (outcomes.await(transactionId)) {
        case COMMITTED -> {}
        case ROLLED_BACK -> throw lostCommit;
        case UNKNOWN -> {
          unknownOutcomes.incrementAndGet();
          throw new UnknownOutcomeException(lostCommit);
        }
      }
    }
  }

  private static void rollBack(Handle handle, Throwable failure) {
    try {
      handle.rollback();
    } catch (RuntimeException e) {
      // The connection is lost, so PostgreSQL rolls back the transaction.
      failure.addSuppressed(e);
    }
  }

  @Override
  public <T> T read(Transaction<T> transaction) {
    readTurns.begin();
    try (Handle handle = readers.open()) {
      return handle.inTransaction(transaction::run);
    } finally {
      readTurns.end();
    }
  }

  @Override
  public int pendingWrites() {
    return pendingCount.get();
  }

  @Override
  public long unknownOutcomes() {
    return unknownOutcomes.get();
  }

  @Override
  public void close() {
    writerPool.close();
    readerPool.close();
  }

  static boolean isConflict(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && CONFLICT_STATES.contains(String.valueOf(sql.getSQLState()))) {
        return true;
      }
    }
    return false;
  }
}
