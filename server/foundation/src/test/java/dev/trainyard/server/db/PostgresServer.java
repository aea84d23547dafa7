package dev.trainyard.server.db;

import dev.trainyard.engine.testkit.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** One real PostgreSQL server for the whole JVM. */
final class PostgresServer {
  private final EmbeddedPostgres server;
  private final AtomicInteger databases = new AtomicInteger();

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  /**
   * Returns the server, started at the first call; if it cannot be started, the test is skipped.
   */
  static PostgresServer running() {
    if (Once.FAILURE != null) {
      throw Requirement.missing("postgres", "the embedded server did not start", Once.FAILURE);
    }
    return Once.SERVER;
  }

  String createDatabase() {
    return create("template template_trainyard");
  }

  /** Creates a database without any table. */
  String createEmptyDatabase() {
    return create("");
  }

  private String create(String options) {
    String name = "t" + databases.incrementAndGet();
    try (Connection connection = DriverManager.getConnection(url("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name + " " + options);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return url(name);
  }

  private String url(String database) {
    return server.getJdbcUrl("postgres", database);
  }

  private static final class Once {
    private static PostgresServer SERVER;
    private static Exception FAILURE;

    static {
      try {
        SERVER = start();
      } catch (IOException | SQLException | RuntimeException e) {
        FAILURE = e;
      }
    }

    private static PostgresServer start() throws IOException, SQLException {
      EmbeddedPostgres embedded =
          EmbeddedPostgres.builder()
              .setServerConfig("max_connections", "200")
              .setServerConfig("fsync", "off")
              // Other tests may keep the disk busy.
              .setPGStartupWait(Duration.ofMinutes(2))
              .start();
      PostgresServer server = new PostgresServer(embedded);
      try (Connection connection = DriverManager.getConnection(server.url("postgres"));
          Statement statement = connection.createStatement()) {
        statement.execute("create database template_trainyard");
      }
      PostgresDb.open(server.url("template_trainyard"), WriteObserver.NONE).close();
      return server;
    }
  }
}
