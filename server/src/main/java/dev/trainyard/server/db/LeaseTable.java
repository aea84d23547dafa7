package dev.trainyard.server.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * The row of {@code server_lease}. Every time in it is of the database's clock, so that the clocks
 * of the servers do not matter.
 */
final class LeaseTable {
  /** Name of the table; it is in no backup. */
  static final String NAME = "server_lease";

  /** The version of the tables that has the lease. */
  static final int SINCE = 25;

  private static final String NOW = "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";

  private LeaseTable() {}

  /**
   * @param directory where its data directory is, in a form that differs for every directory
   * @param remaining until it expires; zero or negative if it has
   */
  record Row(
      String holder,
      String installation,
      String directory,
      long epoch,
      long expiresAt,
      Duration remaining) {
    boolean isExpired() {
      return !remaining.isPositive();
    }
  }

  static Optional<Row> find(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select holder, installation, directory, epoch, expires_at, expires_at - "
                    + NOW
                    + " from server_lease where id = 1")) {
      return rows.next()
          ? Optional.of(
              new Row(
                  rows.getString(1),
                  rows.getString(2),
                  rows.getString(3),
                  rows.getLong(4),
                  rows.getLong(5),
                  Duration.ofMillis(rows.getLong(6))))
          : Optional.empty();
    }
  }

  /**
   * Takes the lease if it has expired, or if its holder is known to be gone. Waits for every write
   * transaction that has passed the fence: a later one sees the new epoch.
   *
   * @param holderIsGone whether the caller knows that the process of the row's directory has ended
   * @return the new epoch; empty if another server was faster
   */
  static Optional<Long> take(
      Connection connection, Lease.Claim claim, boolean holderIsGone, Duration length)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local lock_timeout = '2s'");
      try {
        statement.execute("lock table server_lease in exclusive mode");
      } catch (SQLException e) {
        connection.rollback();
        endBlockingTransactions(connection);
        return Optional.empty();
      }
      statement.execute(
          "insert into server_lease (id, holder, installation, directory, epoch, expires_at)"
              + " values (1, '', '', '', 0, 0) on conflict do nothing");
      Optional<Long> epoch = update(connection, claim, holderIsGone, length);
      connection.commit();
      return epoch;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static Optional<Long> update(
      Connection connection, Lease.Claim claim, boolean holderIsGone, Duration length)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update server_lease set holder = ?, installation = ?, directory = ?,"
                + " epoch = epoch + 1, expires_at = "
                + NOW
                + " + ? where id = 1 and (expires_at <= "
                + NOW
                + " or (? and directory = ?)) returning epoch")) {
      statement.setString(1, claim.holder());
      statement.setString(2, claim.installation());
      statement.setString(3, claim.directory());
      statement.setLong(4, length.toMillis());
      statement.setBoolean(5, holderIsGone);
      statement.setString(6, claim.directory());
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(rows.getLong(1)) : Optional.empty();
      }
    }
  }

  /**
   * Ends transactions of an expired lease that keep the table locked: a paused server holds its
   * open transaction for as long as it is paused.
   */
  private static void endBlockingTransactions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "select pg_terminate_backend(pid) from pg_locks where relation ="
              + " 'server_lease'::regclass and granted and pid <> pg_backend_pid()"
              + " and exists (select 1 from server_lease where expires_at <= "
              + NOW
              + ")");
      connection.commit();
    }
  }

  /** Extends the lease; false if another server has taken it. */
  static boolean renew(Connection connection, long epoch, String holder, Duration length)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update server_lease set expires_at = "
                + NOW
                + " + ?, holder = ? where id = 1 and epoch = ?")) {
      statement.setLong(1, length.toMillis());
      statement.setString(2, holder);
      statement.setLong(3, epoch);
      return statement.executeUpdate() == 1;
    }
  }

  /** Ends the lease, so that the next server need not wait. */
  static void release(Connection connection, long epoch) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update server_lease set expires_at = 0 where id = 1 and epoch = ?")) {
      statement.setLong(1, epoch);
      statement.executeUpdate();
    }
  }
}
