package dev.trainyard.server.db;

import org.jdbi.v3.core.Handle;

/**
 * Access to the database. A transaction must not call an engine, use the network or start another
 * transaction, because transactions wait for each other: on SQLite, a slow write delays all other
 * writes.
 */
public interface Db extends AutoCloseable {
  /** The statements of one transaction. */
  @FunctionalInterface
  interface Transaction<T> {
    T run(Handle handle);
  }

  /**
   * Runs the statements in a transaction, which is durable when this method returns. If the
   * statements throw an exception, the transaction is rolled back and the exception is rethrown. On
   * PostgreSQL the statements may run more than once because serialization failures are retried, so
   * they must have no effects except on the database.
   */
  <T> T write(Transaction<T> transaction);

  /** Runs queries on a consistent snapshot. */
  <T> T read(Transaction<T> transaction);

  /** Returns the number of writes in progress or queued, for metrics. */
  default int pendingWrites() {
    return 0;
  }

  /**
   * Reserves disk space that only this database can use, if the database is an SQLite file. Called
   * every few seconds, because the database uses up the reserved space as it grows.
   */
  default void reserveSpace() {}

  /**
   * Returns how many writes have ended with {@link UnknownOutcomeException} so far. If the number
   * increases, there may be rows whose write was reported as failed.
   */
  default long unknownOutcomes() {
    return 0;
  }

  /** Completes the transactions in progress; afterwards the database cannot be used. */
  @Override
  void close();
}
