package dev.trainyard.server.db;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Opens connections to one SQLite file. */
final class SqliteConnections {
  private final SQLiteDataSource source;
  private final Jdbi jdbi;

  SqliteConnections(Path file) {
    this("jdbc:sqlite:" + file, Map.of("journal_mode", "WAL"));
  }

  private SqliteConnections(String url, Map<String, String> otherSettings) {
    Properties settings = new Properties();
    settings.putAll(otherSettings);
    // With FULL, unlike with NORMAL, a committed transaction survives a power failure.
    settings.setProperty("synchronous", "FULL");
    settings.setProperty("busy_timeout", "10000");
    settings.setProperty("transaction_mode", "IMMEDIATE");
    settings.setProperty("foreign_keys", "true");
    settings.setProperty("journal_size_limit", Integer.toString(64 << 20));
    source = new SQLiteDataSource(new SQLiteConfig(settings));
    source.setUrl(url);
    jdbi = SqlCaches.jdbi(source).setStatementBuilderFactory(connection -> new StatementCache());
  }

  /**
   * Returns connections to an existing file. They need neither disk space nor an inode, because the
   * index of the write-ahead log is in memory instead of the file {@code -shm}. While one of them
   * is open, no other process can use the database.
   */
  static SqliteConnections withoutIndexFile(Path file) {
    return new SqliteConnections(
        "jdbc:sqlite:" + uri(file) + "?vfs=unix-excl", Map.of("journal_mode", "WAL"));
  }

  /**
   * Returns connections that only read an existing file. If one of them is the last connection to
   * be closed, SQLite keeps the write-ahead log, whose reserve of disk space is needed if the disk
   * is full.
   */
  static SqliteConnections readOnly(Path file) {
    return new SqliteConnections("jdbc:sqlite:" + uri(file) + "?mode=ro", Map.of());
  }

  private static String uri(Path file) {
    return "file:" + file.toUri().getRawPath();
  }

  SQLiteDataSource source() {
    return source;
  }

  Handle openForWriting() {
    return jdbi.open();
  }

  /** Opens a read-only handle. */
  Handle openForReading() {
    Handle handle = jdbi.open();
    run(handle, "pragma query_only = true");
    return handle;
  }

  /** Executes a statement such as BEGIN without the overhead of Jdbi. */
  static void run(Handle handle, String sql) {
    Connection connection = handle.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new TransactionException(sql + " failed", e);
    }
  }
}
