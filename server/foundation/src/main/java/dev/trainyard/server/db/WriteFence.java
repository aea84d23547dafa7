package dev.trainyard.server.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionException;

/**
 * Check whether this server still leads, performed at the start of every write transaction on
 * PostgreSQL. Takes one round trip.
 */
interface WriteFence {
  /** Performs no check, for a database that only one server uses. */
  WriteFence NONE = handle -> query(handle, "select 0, txid_current()")[1];

  /**
   * Ensures that no other server has acquired the lease, and that none can do so before this
   * transaction ends.
   *
   * @return the ID of the transaction
   * @throws NotLeadingException if this server does not lead
   */
  long enter(Handle handle);

  /**
   * Runs statements, the last of which returns two numbers or no row; without a row, the result is
   * -1 and 0.
   */
  static long[] query(Handle handle, String sql) {
    Connection connection = handle.getConnection();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      boolean hasResult = statement.execute();
      while (!hasResult) {
        hasResult = statement.getMoreResults();
      }
      try (ResultSet resultSet = statement.getResultSet()) {
        return resultSet.next()
            ? new long[] {resultSet.getLong(1), resultSet.getLong(2)}
            : new long[] {-1, 0};
      }
    } catch (SQLException e) {
      throw new TransactionException("failed to begin a transaction", e);
    }
  }
}
