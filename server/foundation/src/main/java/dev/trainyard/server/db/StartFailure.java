package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Explains in one sentence, with the remedy, why a database cannot be opened. */
final class StartFailure {
  /** Time to wait for a PostgreSQL server that starts together with this server. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(200);

  /** SQL states: no server listens at the address, or PostgreSQL is starting or shutting down. */
  private static final Set<String> STARTING_STATES = Set.of("08001", "57P03", "57P01");

  /** Error codes of SQLite that a full disk may cause. */
  private static final Set<Integer> SQLITE_DISK_FULL = Set.of(10, 13, 14);

  private StartFailure() {}

  /**
   * Waits until the database accepts a connection, for a limited time. Every attempt has a time
   * limit of its own, because PostgreSQL may stop responding while a connection is being
   * established.
   */
  static void connect(PostgresConnections connections, String url) {
    long deadline = System.nanoTime() + MAX_WAIT.toNanos();
    while (true) {
      try (Connection connection = connections.withShortTimeouts().getConnection()) {
        if (connection.isValid(5)) {
          return;
        }
      } catch (SQLException e) {
        if (!STARTING_STATES.contains(String.valueOf(e.getSQLState()))
            || System.nanoTime() > deadline) {
          throw postgres(url, e);
        }
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Updates the tables of a PostgreSQL database. */
  static void update(PostgresConnections connections, String url) {
    try {
      Schema.update(connections.withoutTimeouts(), Dialect.POSTGRESQL, Schema.BeforeChange.NOTHING);
    } catch (RuntimeException e) {
      throw postgres(url, e);
    }
  }

  /**
   * Returns the explanation of the {@link SQLException} that caused a failure. If an {@link
   * AppException} caused the failure, returns that exception; any other failure is returned
   * unchanged.
   */
  static RuntimeException postgres(String url, RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AppException conflict) {
        return conflict;
      }
      if (cause instanceof SQLException sql) {
        return postgres(url, sql);
      }
    }
    return failure;
  }

  static AppException postgres(String url, SQLException failure) {
    Properties urlProperties = Driver.parseURL(url, new Properties());
    if (urlProperties == null) {
      return conflict(Message.of("config.db-url"));
    }
    String database = String.valueOf(PGProperty.PG_DBNAME.getOrDefault(urlProperties));
    String address =
        PGProperty.PG_HOST.getOrDefault(urlProperties)
            + ":"
            + PGProperty.PG_PORT.getOrDefault(urlProperties);
    String detail = detail(failure);
    return conflict(
        switch (String.valueOf(failure.getSQLState())) {
          case "3D000" ->
              Message.of("config.db-missing", "database", database).with("address", address);
          case "28P01", "28000" ->
              Message.of("config.db-denied", "address", address).with("detail", detail);
          case "42501" ->
              Message.of("config.db-no-rights", "database", database)
                  .with("role", String.valueOf(PGProperty.USER.getOrDefault(urlProperties)))
                  .with("detail", detail);
          case "53300" ->
              Message.of("config.db-connections", "address", address).with("detail", detail);
          case "53100" -> Message.of("config.db-disk-full", "address", address);
          default ->
              String.valueOf(failure.getSQLState()).startsWith("08")
                  ? Message.of("config.db-unreachable", "address", address).with("detail", detail)
                  : Message.of("config.db-unusable", "detail", detail);
        });
  }

  /**
   * Returns whether an SQLite file may have failed to open because its disk is full: SQLite reports
   * a lack of space as FULL or IOERR, and a lack of inodes as CANTOPEN.
   */
  static boolean isDiskFull(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return SQLITE_DISK_FULL.contains(sql.getErrorCode() & 0xff);
      }
    }
    return false;
  }

  /** Explains why an SQLite file cannot be opened. */
  static AppException sqlite(String file, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AppException conflict) {
        return conflict;
      }
      if (cause instanceof SQLException sql) {
        String detail = detail(sql);
        return conflict(
            switch (sql.getErrorCode() & 0xff) {
              case 11, 26 -> Message.of("config.db-damaged", "file", file).with("detail", detail);
              case 8, 14 -> Message.of("config.db-read-only", "file", file).with("detail", detail);
              case 13 -> Message.of("config.db-file-disk-full", "file", file);
              default -> Message.of("config.db-unusable", "detail", file + ": " + detail);
            });
      }
    }
    return conflict(Message.of("config.db-unusable", "detail", file + ": " + failure.getMessage()));
  }

  private static String detail(SQLException failure) {
    String text = String.valueOf(failure.getMessage()).strip();
    return text.lines().findFirst().orElse("");
  }

  private static AppException conflict(Message message) {
    return new AppException(ErrorCode.CONFLICT, message);
  }
}
