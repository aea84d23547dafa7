package dev.trainyard.server.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * PostgreSQL. Writes are serializable, so that a store may check first and act then, exactly as
 * with SQLite's single writer. A work that collided is run again in a lane for one, where it can
 * only collide with newcomers: contention costs time, not answers.
 */
public final class PostgresDb implements Db {
  private static final Set<String> COLLISIONS = Set.of("40001", "40P01");
  private static final int LARGEST_POOL = 16;
  private static final int ATTEMPTS = 50;

  private final HikariDataSource pool;
  private final Jdbi jdbi;
  private final WriteObserver observer;
  private final ReentrantLock retryLane = new ReentrantLock(true);
  private final AtomicInteger waiting = new AtomicInteger();

  private PostgresDb(HikariDataSource pool, WriteObserver observer) {
    this.pool = pool;
    this.jdbi = Jdbi.create(pool);
    this.observer = observer;
  }

  public static PostgresDb open(String url, WriteObserver observer) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setPoolName("postgres");
    config.setMaximumPoolSize(LARGEST_POOL);
    config.setMinimumIdle(2);
    config.setConnectionTimeout(Duration.ofSeconds(30).toMillis());
    config.setInitializationFailTimeout(Duration.ofSeconds(10).toMillis());
    HikariDataSource pool = new HikariDataSource(config);
    try {
      Schema.update(pool, Dialect.POSTGRESQL, Schema.BeforeChange.NOTHING);
      return new PostgresDb(pool, observer);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  @Override
  public <T> T write(Work<T> work) {
    waiting.incrementAndGet();
    try {
      return attempt(work);
    } catch (RuntimeException e) {
      if (!collided(e)) {
        throw e;
      }
      return retry(work, e);
    } finally {
      waiting.decrementAndGet();
    }
  }

  private <T> T retry(Work<T> work, RuntimeException first) {
    RuntimeException last = first;
    retryLane.lock();
    try {
      for (int i = 1; i < ATTEMPTS; i++) {
        observer.retried();
        try {
          return attempt(work);
        } catch (RuntimeException e) {
          if (!collided(e)) {
            throw e;
          }
          last = e;
        }
      }
    } finally {
      retryLane.unlock();
    }
    throw last;
  }

  private <T> T attempt(Work<T> work) {
    long begun = System.nanoTime();
    T result;
    try (Handle handle = jdbi.open()) {
      result = handle.inTransaction(TransactionIsolationLevel.SERIALIZABLE, work::run);
    }
    observer.committed(1, Duration.ofNanos(System.nanoTime() - begun));
    return result;
  }

  @Override
  public <T> T read(Work<T> work) {
    try (Handle handle = jdbi.open()) {
      handle.setReadOnly(true);
      return handle.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, work::run);
    }
  }

  @Override
  public int waitingWrites() {
    return waiting.get();
  }

  @Override
  public void close() {
    pool.close();
  }

  static boolean collided(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && COLLISIONS.contains(String.valueOf(sql.getSQLState()))) {
        return true;
      }
    }
    return false;
  }
}
