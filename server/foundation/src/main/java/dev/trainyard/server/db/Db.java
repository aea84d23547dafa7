package dev.trainyard.server.db;

import org.jdbi.v3.core.Handle;

/**
 * The one way to the database. A work must not call an engine, the network or another work: it may
 * wait in line with others, and on SQLite one slow work delays all.
 */
public interface Db extends AutoCloseable {
  /** A few statements that belong together. */
  @FunctionalInterface
  interface Work<T> {
    T run(Handle handle);
  }

  /**
   * Runs the work in a transaction; it is durable when this returns. A work that throws leaves
   * nothing behind, and its exception comes out here. On PostgreSQL it may run twice (serialization
   * failures are tried again), so it has no effects but on the database.
   */
  <T> T write(Work<T> work);

  /** Runs queries on a consistent view. */
  <T> T read(Work<T> work);

  /** How many writes are under way or in line, for metrics. */
  default int waitingWrites() {
    return 0;
  }

  /**
   * Reserves disk space that only this database can use, where it is stored in the data directory.
   * Called every few seconds, because the database grows into the space.
   */
  default void reserveSpace() {}

  /**
   * Returns how many writes ended with {@link UnknownOutcomeException} so far. If it rises, there
   * may be rows that their writer does not know of.
   */
  default long unknownOutcomes() {
    return 0;
  }

  /** Finishes what is under way; nothing can be read or written afterwards. */
  @Override
  void close();
}
