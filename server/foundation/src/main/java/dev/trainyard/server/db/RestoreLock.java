package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Excludes servers from a PostgreSQL database while a restore fills it: no server can acquire the
 * lease. This is an advisory lock, because the restore creates the table of the lease itself.
 * PostgreSQL releases the lock when the restore ends, even if it crashes.
 */
public final class RestoreLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RestoreLock.class);

  /** Key of the advisory lock; an arbitrary number without another use in this database. */
  private static final long KEY = 7_238_401_915_604_281L;

  private final Connection connection;
  private final boolean shared;

  private RestoreLock(Connection connection, boolean shared) {
    this.connection = connection;
    this.shared = shared;
  }

  /**
   * Acquires the lock for a restore.
   *
   * @throws AppException if a server leads the database, or if another restore or a starting server
   *     holds the lock
   */
  public static RestoreLock acquireExclusive(String url) {
    PostgresConnections connections = new PostgresConnections(url);
    StartFailure.connect(connections, url);
    try {
      Connection connection = connections.withoutTimeouts().getConnection();
      try {
        boolean isAcquired = isTrue(connection, "select pg_try_advisory_lock(" + KEY + ")");
        requireNoLeader(connection);
        if (!isAcquired) {
          throw conflict(Message.of("error.restore-busy"));
        }
        return new RestoreLock(connection, false);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw StartFailure.postgres(url, e);
    }
  }

  private static void requireNoLeader(Connection connection) throws SQLException {
    if (!isTrue(connection, "select to_regclass('" + LeaseTable.NAME + "') is not null")) {
      return;
    }
    Optional<LeaseTable.Row> leader = LeaseTable.find(connection).filter(row -> !row.isExpired());
    if (leader.isPresent()) {
      throw conflict(Message.of("error.restore-server-leads", "holder", leader.get().holder()));
    }
  }

  /**
   * Acquires the lock for a server that starts: no restore can begin before the lock is closed.
   *
   * @param connection stays open when the lock is closed
   * @throws AppException if a restore is filling the database
   */
  static RestoreLock acquireShared(Connection connection) throws SQLException {
    if (!isTrue(connection, "select pg_try_advisory_lock_shared(" + KEY + ")")) {
      throw conflict(Message.of("config.restore-running"));
    }
    return new RestoreLock(connection, true);
  }

  /**
   * Returns whether no restore uses the database; if so, none can begin before the transaction
   * ends.
   */
  static boolean isNoRestoreRunning(Connection transaction) throws SQLException {
    return isTrue(transaction, "select pg_try_advisory_xact_lock_shared(" + KEY + ")");
  }

  private static boolean isTrue(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  private static AppException conflict(Message message) {
    return new AppException(ErrorCode.CONFLICT, message);
  }

  /**
   * Releases the lock explicitly, because PostgreSQL notices the end of a connection only later,
   * and a server that is started directly after a restore would be rejected.
   */
  @Override
  public void close() {
    String suffix = shared ? "_shared" : "";
    try {
      isTrue(connection, "select pg_advisory_unlock" + suffix + "(" + KEY + ")");
    } catch (SQLException e) {
      LOG.debug("failed to release the restore lock; closing the connection releases it", e);
    }
    if (!shared) {
      try {
        connection.close();
      } catch (SQLException e) {
        LOG.debug("failed to close the connection of the restore", e);
      }
    }
  }
}
