package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Without these limits a connection whose peer has vanished waits forever. */
class PostgresConnectionsTest {
  private final String url = TestDatabase.POSTGRESQL.createUrl();

  @Test
  void pools_urlWithoutParameters_haveTimeoutsAndKeepAlive() throws Exception {
    PostgresConnections connections = new PostgresConnections(url);
    try (HikariDataSource writers = connections.writers();
        HikariDataSource readers = connections.readers()) {
      for (HikariDataSource pool : List.of(writers, readers)) {
        assertThat(pool.getDataSourceProperties()).containsEntry("tcpKeepAlive", "true");
        assertThat(networkTimeoutMillis(pool)).as(pool.getPoolName()).isEqualTo(40_000);
        assertThat(statementTimeout(pool)).as(pool.getPoolName()).isEqualTo("30s");
      }
    }
  }

  @Test
  void pools_parametersInTheUrl_takePrecedence() throws Exception {
    String separator = url.contains("?") ? "&" : "?";
    PostgresConnections connections =
        new PostgresConnections(
            url + separator + "socketTimeout=8&options=-c%20statement_timeout=5s");
    try (HikariDataSource writers = connections.writers()) {
      assertThat(networkTimeoutMillis(writers)).isEqualTo(8_000);
      assertThat(statementTimeout(writers)).isEqualTo("5s");
    }
  }

  private static int networkTimeoutMillis(HikariDataSource pool) throws Exception {
    try (Connection connection = pool.getConnection()) {
      return connection.getNetworkTimeout();
    }
  }

  private static String statementTimeout(HikariDataSource pool) throws Exception {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("show statement_timeout")) {
      rows.next();
      return rows.getString(1);
    }
  }
}
