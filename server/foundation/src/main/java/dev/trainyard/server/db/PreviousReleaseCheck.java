package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Detects a running server of a release without a lease. Such a server does not notice that another
 * one leads, so both would run every job. Its sessions are recognized by the role, which this
 * server uses too, and by the application name that the JDBC driver or this program sets.
 */
final class PreviousReleaseCheck {
  /** Maximum time to wait for the sessions of a server that was just stopped. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(3);

  private static final Duration PAUSE = Duration.ofMillis(200);

  private static final String SESSIONS =
      "select pid, application_name, coalesce(host(client_addr), 'local socket')"
          + " from pg_stat_activity where datname = current_database()"
          + " and usename = current_user and pid <> pg_backend_pid()"
          + " and application_name in ('PostgreSQL JDBC Driver', 'trainyard') order by pid";

  private PreviousReleaseCheck() {}

  /**
   * Waits until PostgreSQL lists no session of such a server, for a limited time.
   *
   * @throws AppException if there are still sessions; the message lists them
   */
  static void requireNone(Connection connection) throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + MAX_WAIT.toNanos();
    Optional<String> runningSessions = describeSessions(connection);
    while (runningSessions.isPresent()) {
      if (System.nanoTime() > deadline) {
        throw new AppException(
            ErrorCode.CONFLICT,
            Message.of("config.earlier-server", "sessions", runningSessions.get()));
      }
      Thread.sleep(PAUSE);
      runningSessions = describeSessions(connection);
    }
  }

  private static Optional<String> describeSessions(Connection connection) throws SQLException {
    StringJoiner runningSessions = new StringJoiner("; ");
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SESSIONS)) {
      while (rows.next()) {
        runningSessions.add(
            "pid "
                + rows.getInt(1)
                + ", application "
                + rows.getString(2)
                + ", address "
                + rows.getString(3));
      }
    }
    return runningSessions.length() == 0
        ? Optional.empty()
        : Optional.of(runningSessions.toString());
  }
}
