package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An unused database into which a restore loads rows. */
public final class EmptyDatabase {
  /** Tables that contain rows directly after the migration. */
  private static final Set<String> INITIALLY_FILLED =
      Set.of(
          "counter",
          "team_group",
          "group_grant",
          "virtual_cluster",
          "catalogue_image",
          LeaseTable.NAME);

  private final DataSource source;
  private final Dialect dialect;

  private EmptyDatabase(DataSource source, Dialect dialect) {
    this.source = source;
    this.dialect = dialect;
  }

  public static EmptyDatabase sqlite(Path file) {
    return new EmptyDatabase(new SqliteConnections(file).source(), Dialect.SQLITE);
  }

  public static EmptyDatabase postgres(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return new EmptyDatabase(source, Dialect.POSTGRESQL);
  }

  /** Loads rows into existing empty tables. */
  @FunctionalInterface
  public interface Loader {
    void load(Connection connection, List<Table> tables) throws SQLException, IOException;
  }

  /**
   * Returns whether a restore may use the database. This is the case if the database has no table,
   * or if its tables are from this program and contain no rows other than the initial ones, as
   * after an interrupted restore.
   */
  public boolean isFree() {
    try (Connection connection = source.getConnection()) {
      List<Table> tables = Table.list(connection);
      if (tables.isEmpty()) {
        return true;
      }
      boolean free = Schema.isOwnSchema(connection);
      for (Table table : tables) {
        free =
            free && (INITIALLY_FILLED.contains(table.name()) || !hasRows(connection, table.name()));
      }
      return free;
    } catch (SQLException e) {
      throw unusable(e);
    }
  }

  /** Returns whether the rows of a restore are committed; they always include users. */
  public boolean isFilled() {
    try (Connection connection = source.getConnection()) {
      return Schema.isOwnSchema(connection) && hasRows(connection, "users");
    } catch (SQLException e) {
      throw unusable(e);
    }
  }

  private static boolean hasRows(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("select 1 from " + table + " limit 1")) {
      return rows.next();
    }
  }

  /**
   * Creates the tables of schema version {@code schemaVersion}, loads the rows in one transaction,
   * and then migrates the schema to the current version. If a step before or during the commit
   * fails, all tables are dropped.
   *
   * @param beforeCommit called after the rows are loaded, directly before the commit
   */
  public void fill(int schemaVersion, Loader loader, Runnable beforeCommit) throws IOException {
    try {
      dropTables();
      Schema.migrate(source, dialect, schemaVersion);
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        try {
          List<Table> tables = Table.list(connection);
          for (Table table : tables.reversed()) {
            execute(connection, "delete from " + table.name());
          }
          loader.load(connection, tables);
          beforeCommit.run();
          connection.commit();
        } catch (SQLException | IOException | RuntimeException e) {
          connection.rollback();
          throw e;
        }
      }
    } catch (SQLException e) {
      dropQuietly(e);
      throw unusable(e);
    } catch (IOException | RuntimeException e) {
      dropQuietly(e);
      throw e;
    }
    Schema.update(source, dialect, Schema.BeforeChange.NOTHING);
  }

  private void dropQuietly(Exception failure) {
    try {
      if (!isFilled()) {
        dropTables();
      }
    } catch (SQLException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Drops all tables. Callers must ensure that no table has rows other than the initial ones. */
  private void dropTables() throws SQLException {
    try (Connection connection = source.getConnection()) {
      for (Table table : Table.list(connection).reversed()) {
        execute(connection, "drop table " + table.name());
      }
      execute(connection, "drop table if exists " + Schema.HISTORY);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Moves the contents of the write-ahead log into the database file and deletes the log. */
  public static void checkpoint(Path sqliteFile) {
    try (Connection connection = new SqliteConnections(sqliteFile).source().getConnection()) {
      execute(connection, "pragma wal_checkpoint(truncate)");
    } catch (SQLException e) {
      throw unusable(e);
    }
    for (String suffix : List.of("-wal", "-shm")) {
      try {
        Files.deleteIfExists(sqliteFile.resolveSibling(sqliteFile.getFileName() + suffix));
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  private static AppException unusable(SQLException cause) {
    return new AppException(
        ErrorCode.INTERNAL,
        Message.of("config.db-unusable", "detail", String.valueOf(cause.getMessage())));
  }
}
