package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The databases that a server supports. */
enum Database {
  SQLITE,
  POSTGRES;

  /** A running database for one server. */
  interface Running extends AutoCloseable {
    /** Returns the options of {@code up} that select this database. */
    List<String> options();

    /** Blocks all other writers until the returned connection is closed. */
    Connection lock() throws SQLException;

    @Override
    void close() throws IOException;
  }

  Running open(Path data) {
    return this == SQLITE ? new Sqlite(data) : new Postgres(postgres());
  }

  private static EmbeddedPostgres postgres() {
    try {
      return EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(2)).start();
    } catch (IOException e) {
      throw Requirement.missing("postgres", "the embedded server did not start", e);
    }
  }

  private record Sqlite(Path data) implements Running {
    @Override
    public List<String> options() {
      return List.of();
    }

    @Override
    public Connection lock() throws SQLException {
      Connection connection =
          DriverManager.getConnection("jdbc:sqlite:" + data.resolve("trainyard.db"));
      execute(connection, "pragma busy_timeout = 10000");
      execute(connection, "begin exclusive");
      return connection;
    }

    @Override
    public void close() {}
  }

  private record Postgres(EmbeddedPostgres server) implements Running {
    private static final String DEADLOCK = "40P01";

    @Override
    public List<String> options() {
      return List.of("--db", server.getJdbcUrl("postgres", "postgres"));
    }

    @Override
    public Connection lock() throws SQLException {
      Connection connection = server.getPostgresDatabase().getConnection();
      connection.setAutoCommit(false);
      while (!locked(connection)) {
        connection.rollback();
      }
      return connection;
    }

    /**
     * Acquires the lock; returns false if this failed because of a deadlock with another
     * transaction.
     */
    private static boolean locked(Connection connection) throws SQLException {
      try {
        execute(connection, "lock table job, attempt, task in access exclusive mode");
        return true;
      } catch (SQLException e) {
        if (DEADLOCK.equals(e.getSQLState())) {
          return false;
        }
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
