package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;

/**
 * Failures that are nobody's mistake and pass: a database that is locked, restarts or can't be
 * reached, and a disk without room. Whoever asked is told so, instead of "something went wrong".
 */
final class Outage {
  private static final int SQLITE_BUSY = 5;
  private static final int SQLITE_LOCKED = 6;
  private static final int SQLITE_IO_ERROR = 10;
  private static final int SQLITE_FULL = 13;
  private static final int SQLITE_CANNOT_OPEN = 14;
  private static final Set<Integer> SQLITE_AWAY =
      Set.of(SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IO_ERROR, SQLITE_CANNOT_OPEN);
  private static final String POSTGRES_DISK_FULL = "53100";

  private Outage() {}

  /** What to say about a failure, if it is an outage. */
  static Optional<AppException> of(Throwable failure, String requestId) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isFullDisk(cause)) {
        return Optional.of(new AppException(ErrorCode.DISK_FULL, Message.of("error.disk-full")));
      }
      if (cause instanceof SQLException sql && isAway(sql)) {
        return Optional.of(
            new AppException(
                ErrorCode.UNAVAILABLE, Message.of("error.unavailable", "requestId", requestId)));
      }
    }
    return Optional.empty();
  }

  private static boolean isFullDisk(Throwable cause) {
    return switch (cause) {
      case SQLException sql ->
          POSTGRES_DISK_FULL.equals(sql.getSQLState())
              || (sql.getSQLState() == null && sql.getErrorCode() == SQLITE_FULL);
      case IOException io -> String.valueOf(io.getMessage()).contains("No space left on device");
      default -> false;
    };
  }

  /** SQLite has codes of its own and no states; PostgreSQL and the pool have states. */
  private static boolean isAway(SQLException sql) {
    String state = sql.getSQLState();
    if (state == null) {
      return sql instanceof SQLTransientConnectionException
          || SQLITE_AWAY.contains(sql.getErrorCode() & 0xff);
    }
    // Connection lost, the server shuts down or has no room for one more.
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.startsWith("53")
        || sql instanceof SQLTransientConnectionException;
  }
}
