package dev.trainyard.server.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the outcome of a transaction whose COMMIT got no response. PostgreSQL returns the
 * status of a recent transaction by its ID.
 */
final class CommitOutcome {
  private static final Logger LOG = LoggerFactory.getLogger(CommitOutcome.class);
  private static final Duration MAX_WAIT = Duration.ofSeconds(15);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final DataSource source;

  CommitOutcome(DataSource source) {
    this.source = source;
  }

  /** Outcome of a transaction. */
  enum Outcome {
    COMMITTED,
    ROLLED_BACK,
    UNKNOWN
  }

  /** Polls until the transaction has ended; returns UNKNOWN after {@link #MAX_WAIT}. */
  Outcome await(long transaction) {
    long deadline = System.nanoTime() + MAX_WAIT.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        switch (status(transaction)) {
          case "committed" -> {
            return Outcome.COMMITTED;
          }
          case "aborted" -> {
            return Outcome.ROLLED_BACK;
          }
          default -> LOG.debug("transaction {} has not ended yet", transaction);
        }
      } catch (SQLException e) {
        LOG.debug("failed to look up transaction {}", transaction, e);
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Outcome.UNKNOWN;
      }
    }
    return Outcome.UNKNOWN;
  }

  private String status(long transaction) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement("select txid_status(?)")) {
      statement.setLong(1, transaction);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return String.valueOf(rows.getString(1));
      }
    }
  }
}
