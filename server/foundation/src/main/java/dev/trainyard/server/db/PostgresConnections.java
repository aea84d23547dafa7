package dev.trainyard.server.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections to one PostgreSQL database. Parameters in the URL take precedence over the defaults
 * of this class.
 *
 * <p>A connection whose peer has vanished fails after {@link #SOCKET_TIMEOUT}, because nothing else
 * ends a blocked read. PostgreSQL cancels a statement earlier, so that a slow statement is not
 * mistaken for a lost connection.
 */
final class PostgresConnections {
  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(40);
  private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(30);

  /** Maximum time that a write transaction stays open without a statement. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
  static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(30);
  static final int WRITERS = 12;
  static final int READERS = 12;

  private final String url;

  PostgresConnections(String url) {
    this.url = url;
  }

  /** Returns a pool whose transactions are serializable. */
  HikariDataSource writers() {
    return pool(
        "postgres-write",
        WRITERS,
        Connection.TRANSACTION_SERIALIZABLE,
        "set idle_in_transaction_session_timeout = " + IDLE_TIMEOUT.toMillis());
  }

  /** Returns a pool for read-only transactions, each of which sees one snapshot. */
  HikariDataSource readers() {
    HikariConfig config = config("postgres-read", READERS, Connection.TRANSACTION_REPEATABLE_READ);
    config.setReadOnly(true);
    config.setConnectionInitSql(statementTimeout());
    return new HikariDataSource(config);
  }

  private HikariDataSource pool(String name, int size, int isolation, String setting) {
    HikariConfig config = config(name, size, isolation);
    config.setConnectionInitSql(statementTimeout() + "; " + setting);
    return new HikariDataSource(config);
  }

  /**
   * Returns the configuration of a pool. The isolation level is set once per connection, because
   * changing it costs round trips.
   */
  private HikariConfig config(String name, int size, int isolation) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setPoolName(name);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(Duration.ofSeconds(10).toMillis());
    config.setTransactionIsolation(String.valueOf(isolation));
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("socketTimeout", String.valueOf(SOCKET_TIMEOUT.toSeconds()));
    config.addDataSourceProperty("ApplicationName", "trainyard");
    return config;
  }

  private String statementTimeout() {
    long limit = STATEMENT_TIMEOUT.toMillis();
    Properties urlProperties = Driver.parseURL(url, new Properties());
    String socketTimeout =
        urlProperties == null ? null : PGProperty.SOCKET_TIMEOUT.getOrNull(urlProperties);
    if (socketTimeout != null && !socketTimeout.equals("0")) {
      limit = Math.min(limit, Math.max(1_000, Long.parseLong(socketTimeout) * 750));
    }
    boolean isConfigured = url.toLowerCase(Locale.ROOT).contains("statement_timeout");
    return isConfigured ? "select 1" : "set statement_timeout = " + limit;
  }

  /**
   * Returns a source of connections for migrations. Statements have no time limit; only connecting
   * has one.
   */
  PGSimpleDataSource withoutTimeouts() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setTcpKeepAlive(true);
    int seconds = (int) PROBE_TIMEOUT.toSeconds();
    source.setConnectTimeout(seconds);
    source.setLoginTimeout(seconds);
    return source;
  }

  /** Returns a source of connections that respond or fail within seconds. */
  PGSimpleDataSource withShortTimeouts() {
    PGSimpleDataSource source = withoutTimeouts();
    source.setSocketTimeout((int) PROBE_TIMEOUT.toSeconds());
    return source;
  }
}
