package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.cache.internal.DefaultJdbiCacheStats;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteDataSource;

class SqlCachesTest {
  private static final String LONG = "select 1" + " ".repeat(10_000);

  private final List<PreparedStatement> executed = new ArrayList<>();

  private static Jdbi jdbi() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite::memory:");
    return SqlCaches.jdbi(source).setStatementBuilderFactory(_ -> new StatementCache());
  }

  private StatementCustomizer recorder() {
    return new StatementCustomizer() {
      @Override
      public void beforeExecution(PreparedStatement statement, StatementContext context) {
        executed.add(statement);
      }
    };
  }

  private void run(Handle handle, String sql) {
    handle.createQuery(sql).addCustomizer(recorder()).mapTo(Integer.class).one();
  }

  @Test
  void statement_longSql_isClosedAfterItsUse() throws SQLException {
    try (Handle handle = jdbi().open()) {
      run(handle, "select 1");
      run(handle, "select 1");
      run(handle, LONG);
      assertThat(executed.get(1)).isSameAs(executed.get(0));
      assertThat(executed.get(1).isClosed()).isFalse();
      assertThat(executed.get(2).isClosed()).isTrue();
    }
  }

  @Test
  void templates_longSql_isNotCached() {
    Jdbi jdbi = jdbi();
    try (Handle handle = jdbi.open()) {
      run(handle, "select 1");
      run(handle, LONG);
    }
    SqlCaches.Templates templates =
        (SqlCaches.Templates) jdbi.getConfig(SqlStatements.class).getTemplateEngine();
    assertThat(templates.cachedTemplateCount()).isEqualTo(1);
  }

  @Test
  void parser_longList_isNotCached() {
    Jdbi jdbi = jdbi();
    try (Handle handle = jdbi.open()) {
      for (int count : List.of(2, 2_000)) {
        handle
            .createQuery("select 1 where 1 in (<ids>)")
            .bindList("ids", IntStream.range(0, count).boxed().toList())
            .mapTo(Integer.class)
            .one();
      }
    }
    SqlCaches.Parser parser = (SqlCaches.Parser) jdbi.getConfig(SqlStatements.class).getSqlParser();
    DefaultJdbiCacheStats stats = parser.cacheStats();
    assertThat(stats.cacheSize()).isEqualTo(1);
  }
}
