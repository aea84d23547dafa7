package dev.trainyard.server.db;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/**
 * Numbers rows in the order in which they become visible, so that a reader who has seen a number
 * has missed none below it. SQLite's single writer does that by itself; on PostgreSQL two
 * transactions could number first and commit second, so they stand in line from here to their
 * commit.
 */
public final class CommitOrder {
  /** Any number that nobody else uses in this database. */
  private static final long LINE = 7_237_011_462_841L;

  private CommitOrder() {}

  /** To be called before rows are inserted; as late in the work as possible. */
  public static void enter(Handle handle) {
    if (isPostgres(handle)) {
      handle
          .createQuery("select cast(pg_advisory_xact_lock(:line) as text)")
          .bind("line", LINE)
          .mapTo(String.class)
          .one();
    }
  }

  /** The largest number that a table has given, even if its row is gone or not visible yet. */
  public static long last(Handle handle, String table) {
    String sql =
        isPostgres(handle)
            ? "select case when is_called then last_value else 0 end from " + table + "_id_seq"
            : "select seq from sqlite_sequence where name = '" + table + "'";
    return handle.createQuery(sql).mapTo(Long.class).findOne().orElse(0L);
  }

  /**
   * Goes on above what is there: a restore writes rows with their numbers, of which PostgreSQL
   * takes no notice, and SQLite only in the table itself.
   *
   * @param newest the largest number in use
   */
  public static void settle(Handle handle, String table, long newest) {
    if (newest <= last(handle, table)) {
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
