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

/** A database that nobody uses yet, to be filled with rows of an older life. */
public final class EmptyDatabase {
  /** Tables that have rows from the beginning, before anybody did anything. */
  private static final Set<String> BORN_FILLED =
      Set.of("counter", "team_group", "group_grant", "virtual_cluster", LeaseTable.NAME);

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

  /** Puts rows into tables that are there and empty. */
  @FunctionalInterface
  public interface Loader {
    void load(Connection connection, List<Table> tables) throws SQLException, IOException;
  }

  /**
   * Whether a restore may use it: there is no table at all, or only ours without rows but those
   * they are born with, as a restore leaves them that was cut off.
   */
  public boolean isFree() {
    try (Connection connection = source.getConnection()) {
      List<Table> tables = Table.list(connection);
      if (tables.isEmpty()) {
        return true;
      }
      boolean free = Schema.isOurs(connection);
      for (Table table : tables) {
        free = free && (BORN_FILLED.contains(table.name()) || !hasRows(connection, table.name()));
      }
      return free;
    } catch (SQLException e) {
      throw unusable(e);
    }
  }

  /** Whether a restore has filled it. */
  public boolean isFilled() {
    try (Connection connection = source.getConnection()) {
      return Schema.isOurs(connection) && hasRows(connection, "users");
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
   * Makes the tables of a version, fills them in one transaction, and brings them up to date. If it
   * fails, the database is as empty as before.
   *
   * @param beforeCommit the last step before the rows count
   */
  public void fill(int version, Loader loader, Runnable beforeCommit) throws IOException {
    try {
      dropTables();
      Schema.migrate(source, dialect, version);
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

  /** Only ever called where {@link #isFree}: what goes is empty. */
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

  /** Everything into the one file; the log beside it is gone afterwards. */
  public static void settle(Path sqliteFile) {
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
