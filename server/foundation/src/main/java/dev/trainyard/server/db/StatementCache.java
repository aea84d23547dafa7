package dev.trainyard.server.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.statement.DefaultStatementBuilder;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Caches the prepared statements of one connection, because SQLite spends more time on parsing a
 * small insert than on executing it. A statement in use is not in the cache, so the same SQL can be
 * used recursively. Must be used by one thread at a time.
 */
final class StatementCache extends DefaultStatementBuilder {
  private static final int MAX_STATEMENTS = 128;

  private final Map<String, PreparedStatement> idle =
      new LinkedHashMap<>(MAX_STATEMENTS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PreparedStatement> eldest) {
          if (size() <= MAX_STATEMENTS) {
            return false;
          }
          closeQuietly(eldest.getValue());
          return true;
        }
      };
  private final IdentityHashMap<Statement, String> inUse = new IdentityHashMap<>();

  @Override
  public PreparedStatement create(Connection connection, String sql, StatementContext context)
      throws SQLException {
    if (context.isReturningGeneratedKeys() || !SqlCaches.isCacheable(sql)) {
      return super.create(connection, sql, context);
    }
    PreparedStatement statement = idle.remove(sql);
    if (statement == null) {
      statement = super.create(connection, sql, context);
    }
    inUse.put(statement, sql);
    return statement;
  }

  @Override
  public void close(Connection connection, String sql, Statement statement) throws SQLException {
    String key = inUse.remove(statement);
    if (key == null || idle.containsKey(key) || statement.isClosed()) {
      statement.close();
      return;
    }
    PreparedStatement prepared = (PreparedStatement) statement;
    prepared.clearParameters();
    idle.put(key, prepared);
  }

  @Override
  public void close(Connection connection) {
    new HashMap<>(idle).values().forEach(StatementCache::closeQuietly);
    idle.clear();
    inUse.clear();
  }

  private static void closeQuietly(Statement statement) {
    try {
      statement.close();
    } catch (SQLException e) {
      // The failure has no effect: the connection is closed next, or the statement was removed from
      // the cache.
    }
  }
}
