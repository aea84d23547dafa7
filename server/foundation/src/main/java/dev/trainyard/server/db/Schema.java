package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Handle;

/**
 * Updates the tables. Loading Flyway takes longer than any other part of a start, so Flyway is not
 * loaded if the database is already up to date.
 */
public final class Schema {
  /** The version of the newest migration in db/migration; a test verifies it. */
  public static final int NEWEST = 29;

  /** Flyway's history table; the only table that the migrations do not create. */
  static final String HISTORY = "flyway_schema_history";

  private static final int UNKNOWN_VERSION = -1;

  private Schema() {}

  /** Called before existing tables are changed. */
  @FunctionalInterface
  interface BeforeChange {
    BeforeChange NOTHING = (foundVersion, targetVersion) -> {};

    void run(int foundVersion, int targetVersion);
  }

  static void update(DataSource source, Dialect dialect, BeforeChange before) {
    int foundVersion = version(source);
    if (foundVersion > NEWEST) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("config.db-newer", "found", foundVersion).with("known", NEWEST));
    }
    if (foundVersion < NEWEST) {
      if (foundVersion > 0) {
        before.run(foundVersion, NEWEST);
      }
      migrate(source, dialect, NEWEST);
    }
  }

  /** Creates the tables in the given version, or updates existing tables to it. */
  static void migrate(DataSource source, Dialect dialect, int version) {
    Flyway.configure()
        .dataSource(source)
        .locations("classpath:db/migration")
        .placeholders(dialect.placeholders())
        .target(String.valueOf(version))
        .load()
        .migrate();
  }

  private static int version(DataSource source) {
    try (Connection connection = source.getConnection()) {
      return version(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("failed to connect to the database", e);
    }
  }

  /** Returns the version of the tables that a transaction sees. */
  public static int version(Handle handle) {
    return version(handle.getConnection());
  }

  /**
   * Returns the version of the tables; -1 if Flyway has to determine it, because there are no
   * tables or a migration failed.
   *
   * @throws IllegalStateException if the database fails for any reason other than missing tables
   */
  public static int version(Connection connection) {
    try (Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select version, success from " + HISTORY + " where version is not null")) {
      int newest = UNKNOWN_VERSION;
      while (rows.next()) {
        if (!rows.getBoolean(2)) {
          return UNKNOWN_VERSION;
        }
        newest = Math.max(newest, Integer.parseInt(rows.getString(1)));
      }
      return newest;
    } catch (SQLException e) {
      if (isTableMissing(e)) {
        return UNKNOWN_VERSION;
      }
      throw new IllegalStateException("failed to read the version of the tables", e);
    }
  }

  private static boolean isTableMissing(SQLException failure) {
    return "42P01".equals(failure.getSQLState())
        || String.valueOf(failure.getMessage()).contains("no such table");
  }

  /** Returns whether a migration has ever begun in an SQLite database. */
  static boolean hasHistory(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select 1 from sqlite_master where type = 'table' and name = '" + HISTORY + "'")) {
      return rows.next();
    }
  }

  /** Returns whether the tables were created by this program, in any version. */
  static boolean isOwnSchema(Connection connection) {
    try (Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select 1 from " + HISTORY + " where script = 'V1__users.sql' limit 1")) {
      return rows.next();
    } catch (SQLException e) {
      return false;
    }
  }
}
