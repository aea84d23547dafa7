package dev.trainyard.server.db;

import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.DefinedAttributeTemplateEngine;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.TemplateEngine;

/**
 * Keeps long SQL out of the caches of Jdbi and of connections. Caches have a number of entries,
 * not of bytes, and every length of an IN list is another text, so long ones would fill the heap.
 */
final class SqlCaches {
  /** Longer SQL is not cached: it is rare, and parsing it costs little compared with executing. */
  private static final int MAX_CACHED_LENGTH = 10_000;

  private SqlCaches() {}

  static boolean admit(String sql) {
    return sql.length() <= MAX_CACHED_LENGTH;
  }

  static Jdbi jdbi(DataSource source) {
    return Jdbi.create(source)
        .configure(
            SqlStatements.class,
            statements ->
                statements.setSqlParser(new Parser()).setTemplateEngine(new Templates()));
  }

  static final class Parser implements SqlParser {
    private final ColonPrefixSqlParser cached = new ColonPrefixSqlParser();

    @Override
    public ParsedSql parse(String sql, StatementContext context) {
      SqlParser parser = admit(sql) ? cached : new ColonPrefixSqlParser();
      return parser.parse(sql, context);
    }

    @Override
    public String nameParameter(String rawName, StatementContext context) {
      return cached.nameParameter(rawName, context);
    }

    <T> T cacheStats() {
      return cached.cacheStats();
    }
  }

  /** Jdbi caches only what {@link #parse} returns. */
  private static final class Templates implements TemplateEngine {
    private final TemplateEngine engine = new DefinedAttributeTemplateEngine();

    @Override
    public String render(String template, StatementContext context) {
      return engine.render(template, context);
    }

    @Override
    public Optional<Function<StatementContext, String>> parse(
        String template, ConfigRegistry config) {
      return admit(template) ? engine.parse(template, config) : Optional.empty();
    }
  }
}
