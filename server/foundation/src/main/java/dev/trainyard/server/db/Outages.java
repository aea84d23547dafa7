package dev.trainyard.server.db;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;

/** Recognizes database failures that are temporary. */
public final class Outages {
  private static final int SQLITE_BUSY = 5;
  private static final int SQLITE_LOCKED = 6;
  private static final int SQLITE_READ_ONLY = 8;
  private static final int SQLITE_IO_ERROR = 10;
  private static final int SQLITE_FULL = 13;
  private static final int SQLITE_CANNOT_OPEN = 14;
  private static final Set<Integer> SQLITE_UNAVAILABLE =
      Set.of(SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READ_ONLY, SQLITE_IO_ERROR, SQLITE_CANNOT_OPEN);
  private static final String POSTGRES_DISK_FULL = "53100";

  /**
   * SQL states: statement timeout, idle-transaction timeout, read-only standby, lock timeout,
   * serialization failure, deadlock.
   */
  private static final Set<String> POSTGRES_UNAVAILABLE =
      Set.of("57014", "25P03", "25006", "55P03", "40001", "40P01");

  private Outages() {}

  /** Kind of an outage. */
  public enum Kind {
    /** The database cannot be reached, shuts down, or is locked. */
    AWAY,
    /** The disk of the data directory is full. */
    DISK_FULL,
    /** The disk of the PostgreSQL server is full. */
    POSTGRES_DISK_FULL,
    /** The connection broke during COMMIT, and the outcome could not be determined. */
    UNKNOWN_OUTCOME,
    /** This server does not hold the lease at the moment. */
    NOT_LEADING
  }

  /**
   * Returns the kind of outage that a failure indicates; empty for a bug or a rejected statement.
   */
  public static Optional<Kind> kind(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<Kind> kind = kindOfCause(cause);
      if (kind.isPresent()) {
        return kind;
      }
    }
    return Optional.empty();
  }

  private static Optional<Kind> kindOfCause(Throwable cause) {
    return switch (cause) {
      case UnknownOutcomeException _ -> Optional.of(Kind.UNKNOWN_OUTCOME);
      case NotLeadingException _ -> Optional.of(Kind.NOT_LEADING);
      case SQLException sql when POSTGRES_DISK_FULL.equals(sql.getSQLState()) ->
          Optional.of(Kind.POSTGRES_DISK_FULL);
      case SQLException sql when sql.getSQLState() == null && sql.getErrorCode() == SQLITE_FULL ->
          Optional.of(Kind.DISK_FULL);
      case SQLException sql when isUnavailable(sql) -> Optional.of(Kind.AWAY);
      case IOException io
          when String.valueOf(io.getMessage()).contains("No space left on device") ->
          Optional.of(Kind.DISK_FULL);
      default -> Optional.empty();
    };
  }

  /** SQLite uses error codes; PostgreSQL and the connection pool use SQL states. */
  private static boolean isUnavailable(SQLException sql) {
    String state = sql.getSQLState();
    if (sql instanceof SQLTransientConnectionException) {
      return true;
    }
    if (state == null) {
      return SQLITE_UNAVAILABLE.contains(sql.getErrorCode() & 0xff);
    }
    // Classes: connection lost, shutting down or starting, insufficient resources, I/O error.
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.startsWith("53")
        || state.startsWith("58")
        || POSTGRES_UNAVAILABLE.contains(state);
  }

  /**
   * Returns whether the connection may have been lost, so that the outcome of a COMMIT is unknown.
   */
  static boolean isConnectionLost(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        String state = String.valueOf(sql.getSQLState());
        // Only these SQL states prove that PostgreSQL has rolled back.
        return !state.startsWith("40") && !state.startsWith("23");
      }
    }
    return false;
  }
}
