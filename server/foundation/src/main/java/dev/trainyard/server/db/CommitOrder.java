package dev.trainyard.server.db;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/**
 * Numbers rows in the order in which they become visible: a reader that has seen a number has also
 * seen all smaller numbers. SQLite guarantees this because it has a single writer. On PostgreSQL, a
 * transaction could get a smaller number than another transaction but commit later, so transactions
 * that insert numbered rows hold an advisory lock until their commit.
 */
public final class CommitOrder {
  /** Key of the advisory lock; an arbitrary number without another use in this database. */
  private static final long LOCK_KEY = 7_237_011_462_841L;

  private CommitOrder() {}

  /**
   * Serializes this transaction with other transactions that insert numbered rows, until its
   * commit. Must be called before the rows are inserted, and as late in the transaction as
   * possible.
   */
  public static void lock(Handle handle) {
    if (isPostgres(handle)) {
      handle
          .createQuery("select cast(pg_advisory_xact_lock(:key) as text)")
          .bind("key", LOCK_KEY)
          .mapTo(String.class)
          .one();
    }
  }

  /**
   * Returns the largest number that a table has assigned, even if its row is deleted or not visible
   * yet.
   */
  public static long lastAssigned(Handle handle, String table) {
    String sql =
        isPostgres(handle)
            ? "select case when is_called then last_value else 0 end from " + table + "_id_seq"
            : "select seq from sqlite_sequence where name = '" + table + "'";
    return handle.createQuery(sql).mapTo(Long.class).findOne().orElse(0L);
  }

  /**
   * Advances the sequence of a table to at least {@code newest}. Necessary after a restore, which
   * inserts rows with explicit numbers: PostgreSQL advances no sequence for them, and SQLite only
   * the sequence of the same table.
   *
   * @param newest the largest number in use
   */
  public static void advanceSequence(Handle handle, String table, long newest) {
    if (newest <= lastAssigned(handle, table)) {
      return;
    }
    if (isPostgres(handle)) {
      handle
          .createQuery("select setval('" + table + "_id_seq', :newest)")
          .bind("newest", newest)
          .mapTo(Long.class)
          .one();
    } else {
      handle.execute("delete from sqlite_sequence where name = ?", table);
      handle.execute("insert into sqlite_sequence (name, seq) values (?, ?)", table, newest);
    }
  }

  private static boolean isPostgres(Handle handle) {
    try {
      return handle.getConnection().getMetaData().getDatabaseProductName().equals("PostgreSQL");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
