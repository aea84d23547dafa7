package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SQL statements for the single row of the table {@code server_lease}. All times use the clock of
 * the database, so that the clocks of the servers do not matter.
 */
final class LeaseTable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseTable.class);

  /** Name of the table, which is not part of backups. */
  static final String NAME = "server_lease";

  /** The version of the tables that introduced the lease. */
  static final int SCHEMA_VERSION = 25;

  private static final String NOW = "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";

  /**
   * SQL condition that is true if the lease has expired, or if its row is unchanged since the
   * caller found that the holder has ended.
   */
  private static final String FREE_CONDITION =
      "(expires_at <= " + NOW + " or (epoch = ? and expires_at = ?))";

  private static final String LOCK_TIMEOUT_STATE = "55P03";

  private LeaseTable() {}

  /**
   * @param directory unique identification of the holder's data directory
   * @param remaining time until the lease expires; zero or negative if it has expired
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
   * Acquires the lease if it has expired, or if its holder is known to have ended. Waits, for a
   * limited time, until every write transaction that has passed the fence has ended; a transaction
   * that starts later sees the new epoch.
   *
   * @param holderHasEnded whether the caller knows that the holder in {@code knownRow} has ended
   * @param knownRow the row as the caller read it; if empty, the row is created
   * @return the new epoch; empty if another server was faster, a restore is running, or open
   *     transactions still lock the table
   * @throws AppException if tasks may still run in the data directory of the last leader
   */
  static Optional<Long> tryAcquire(
      Connection connection,
      Lease.Claim claim,
      Lease.Origin origin,
      boolean holderHasEnded,
      Optional<Row> knownRow,
      Duration length)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local lock_timeout = '2s'");
      try {
        statement.execute("lock table server_lease in exclusive mode");
      } catch (SQLException e) {
        connection.rollback();
        if (!LOCK_TIMEOUT_STATE.equals(e.getSQLState())) {
          throw e;
        }
        connection.setAutoCommit(true);
        endBlockingTransactions(connection, holderHasEnded ? knownRow : Optional.empty());
        return Optional.empty();
      }
      if (!RestoreLock.isNoRestoreRunning(connection)) {
        connection.rollback();
        return Optional.empty();
      }
      try {
        requireNoTasksElsewhere(connection, claim, origin);
      } catch (AppException e) {
        connection.rollback();
        throw e;
      }
      if (knownRow.isEmpty()) {
        statement.execute(
            "insert into server_lease (id, holder, installation, directory, epoch, expires_at)"
                + " values (1, '', '', '', 0, 0) on conflict do nothing");
      }
      Optional<Long> epoch =
          update(connection, claim, origin, holderHasEnded ? knownRow : Optional.empty(), length);
      connection.commit();
      return epoch;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /**
   * Rejects a server whose data directory is not the one in which unfinished attempts may still
   * run: the server would run them a second time.
   */
  private static void requireNoTasksElsewhere(
      Connection connection, Lease.Claim claim, Lease.Origin origin) throws SQLException {
    Optional<Row> lastRow = find(connection).filter(row -> !row.installation().isEmpty());
    if (lastRow.isEmpty()
        || !origin.replacedId().isEmpty()
        || claim.continues(lastRow.get().directory(), origin.hasDatabaseId())) {
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select count(*) from attempt where ended is null")) {
      rows.next();
      if (rows.getLong(1) > 0) {
        throw new AppException(
            ErrorCode.CONFLICT,
            Message.of("config.other-directory", "holder", lastRow.get().holder())
                .with("count", rows.getLong(1)));
      }
    }
  }

  private static Optional<Long> update(
      Connection connection,
      Lease.Claim claim,
      Lease.Origin origin,
      Optional<Row> endedHolderRow,
      Duration length)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "update server_lease set holder = ?, installation = ?, directory = ?,"
                + " epoch = epoch + 1, expires_at = "
                + NOW
                + " + ? where id = 1 and installation in ('', ?, ?) and "
                + FREE_CONDITION
                + " returning epoch")) {
      statement.setString(1, claim.holder());
      statement.setString(2, claim.installation());
      statement.setString(3, claim.directoryValue());
      statement.setLong(4, length.toMillis());
      statement.setString(5, claim.installation());
      statement.setString(6, origin.replacedId());
      bindReplaced(statement, 7, endedHolderRow);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(rows.getLong(1)) : Optional.empty();
      }
    }
  }

  private static void bindReplaced(
      PreparedStatement statement, int firstIndex, Optional<Row> endedHolderRow)
      throws SQLException {
    statement.setLong(firstIndex, endedHolderRow.map(Row::epoch).orElse(-1L));
    statement.setLong(firstIndex + 1, endedHolderRow.map(Row::expiresAt).orElse(-1L));
  }

  /**
   * Ends the sessions of a former leader whose open transactions keep the table locked, for example
   * because the server is paused. Only sessions that write to the table or have passed the fence
   * are ended, and only if the lease may be acquired. If ending one session fails, the others are
   * still ended.
   */
  private static void endBlockingTransactions(Connection connection, Optional<Row> endedHolderRow)
      throws SQLException {
    List<Integer> sessions = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select distinct pid from pg_locks where locktype = 'relation'"
                + " and database = (select oid from pg_database where datname = current_database())"
                + " and relation = 'server_lease'::regclass and granted"
                + " and mode in ('RowShareLock', 'RowExclusiveLock') and pid <> pg_backend_pid()"
                + " and exists (select 1 from server_lease where "
                + FREE_CONDITION
                + ")")) {
      bindReplaced(statement, 1, endedHolderRow);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          sessions.add(rows.getInt(1));
        }
      }
    }
    for (int session : sessions) {
      try (PreparedStatement statement =
          connection.prepareStatement("select pg_terminate_backend(?)")) {
        statement.setInt(1, session);
        statement.execute();
      } catch (SQLException e) {
        LOG.warn("failed to end the session {} of the former leader: {}", session, e.getMessage());
      }
    }
  }

  /** Extends the lease; returns false if another server has acquired it. */
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
