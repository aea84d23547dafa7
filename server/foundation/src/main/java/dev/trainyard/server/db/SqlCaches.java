package dev.trainyard.server.db;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.cache.JdbiCache;
import org.jdbi.v3.core.cache.JdbiCacheBuilder;
import org.jdbi.v3.core.cache.JdbiCacheLoader;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.DefinedAttributeTemplateEngine;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.TemplateEngine;

/**
 * Keeps long SQL out of the caches of Jdbi and of connections. These caches limit the number of
 * entries, not of bytes, and each length of an IN list yields another SQL text, so long texts would
 * fill the heap.
 */
final class SqlCaches {
  /** Longer SQL is not cached: it is rare, and parsing it costs little compared with executing. */
  private static final int MAX_CACHED_LENGTH = 10_000;

  private SqlCaches() {}

  static boolean isCacheable(String sql) {
    return sql.length() <= MAX_CACHED_LENGTH;
  }

  static Jdbi jdbi(DataSource source) {
    return Jdbi.create(source)
        .configure(
            SqlStatements.class,
            statements ->
                statements
                    .setSqlParser(new Parser())
                    .setTemplateEngine(new Templates())
                    .setTemplateCache(new NoCacheBuilder()));
  }

  static final class Parser implements SqlParser {
    private final ColonPrefixSqlParser cachingParser = new ColonPrefixSqlParser();

    @Override
    public ParsedSql parse(String sql, StatementContext context) {
      SqlParser parser = isCacheable(sql) ? cachingParser : new ColonPrefixSqlParser();
      return parser.parse(sql, context);
    }

    @Override
    public String nameParameter(String rawName, StatementContext context) {
      return cachingParser.nameParameter(rawName, context);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // as Jdbi declares it
    <T> T cacheStats() {
      return cachingParser.cacheStats();
    }
  }

  /**
   * Caches parsed templates of limited length, because Jdbi would cache a template of any length.
   */
  static final class Templates implements TemplateEngine {
    /**
     * Maximum number of cached templates. The code has a few hundred templates, because most values
     * are bound.
     */
    private static final int MAX_TEMPLATES = 1_000;

    private final TemplateEngine engine = new DefinedAttributeTemplateEngine();
    private final Map<String, Function<StatementContext, String>> templates =
        new ConcurrentHashMap<>();

    @Override
    public String render(String template, StatementContext context) {
      return engine.render(template, context);
    }

    @Override
    public Optional<Function<StatementContext, String>> parse(
        String template, ConfigRegistry config) {
      Function<StatementContext, String> cachedTemplate = templates.get(template);
      if (cachedTemplate != null) {
        return Optional.of(cachedTemplate);
      }
      var parsedTemplate = engine.parse(template, config);
      if (isCacheable(template) && templates.size() < MAX_TEMPLATES) {
        parsedTemplate.ifPresent(function -> templates.put(template, function));
      }
      return parsedTemplate;
    }

    int cachedTemplateCount() {
      return templates.size();
    }
  }

  /** Builds caches that keep nothing. */
  private static final class NoCacheBuilder implements JdbiCacheBuilder {
    @Override
    public <K, V> JdbiCache<K, V> build() {
      return buildWithLoader(_ -> null);
    }

    @Override
    public <K, V> JdbiCache<K, V> buildWithLoader(JdbiCacheLoader<K, V> defaultLoader) {
      return new JdbiCache<>() {
        @Override
        public V get(K key) {
          return defaultLoader.create(key);
        }

        @Override
        public V getWithLoader(K key, JdbiCacheLoader<K, V> loader) {
          return loader.create(key);
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // as Jdbi declares it
        public <T> T getStats() {
          return null;
        }
      };
    }

    @Override
    public JdbiCacheBuilder maxSize(int ignored) {
      return this;
    }
  }
}
