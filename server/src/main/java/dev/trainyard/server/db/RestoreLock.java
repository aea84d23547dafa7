package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Excludes servers from a PostgreSQL database while a restore fills it: no server can take the
 * lease. An advisory lock, because the restore creates the table of the lease itself. PostgreSQL
 * releases it when the restore ends, however it ends.
 */
public final class RestoreLock implements AutoCloseable {
  /** An arbitrary number that no other use of advisory locks in this database may have. */
  private static final long KEY = 7_238_401_915_604_281L;

  private final Connection connection;

  private RestoreLock(Connection connection) {
    this.connection = connection;
  }

  /**
   * Takes the lock for a restore.
   *
   * @throws AppException if a server leads the database, or another restore or a starting server
   *     uses it
   */
  public static RestoreLock take(String url) {
    PostgresConnections connections = new PostgresConnections(url);
    StartFailure.connect(connections.unlimited(), url);
    try {
      Connection connection = connections.unlimited().getConnection();
      RestoreLock lock = new RestoreLock(connection);
      try {
        if (!isTrue(connection, "select pg_try_advisory_lock(" + KEY + ")")) {
          throw refusal(Message.of("error.restore-busy"));
        }
        requireNoLeader(connection);
        return lock;
      } catch (SQLException | RuntimeException e) {
        lock.close();
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
      throw refusal(Message.of("error.restore-server-leads", "holder", leader.get().holder()));
    }
  }

  /**
   * Keeps restores away until the connection is closed.
   *
   * @throws AppException if a restore is filling the database
   */
  static void requireNone(Connection connection) throws SQLException {
    if (!isTrue(connection, "select pg_try_advisory_lock_shared(" + KEY + ")")) {
      throw refusal(Message.of("config.restore-running"));
    }
  }

  /** Whether no restore uses the database; none begins before the transaction ends. */
  static boolean isNone(Connection transaction) throws SQLException {
    return isTrue(transaction, "select pg_try_advisory_xact_lock_shared(" + KEY + ")");
  }

  private static boolean isTrue(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() && rows.getBoolean(1);
    }
  }

  private static AppException refusal(Message message) {
    return new AppException(ErrorCode.CONFLICT, message);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("failed to release the lock of the restore", e);
    }
  }
}
