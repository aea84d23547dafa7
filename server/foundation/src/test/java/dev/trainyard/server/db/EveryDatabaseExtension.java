package dev.trainyard.server.db;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Implements {@link EveryDatabase}. */
final class EveryDatabaseExtension implements ClassTemplateInvocationContextProvider {
  @Override
  public boolean supportsClassTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
      ExtensionContext context) {
    return Stream.of(TestDatabase.values()).map(OnDatabase::new);
  }

  private record OnDatabase(TestDatabase database) implements ClassTemplateInvocationContext {
    @Override
    public String getDisplayName(int index) {
      return database.name();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new GiveDb(database));
    }
  }

  private record GiveDb(TestDatabase database) implements ParameterResolver {
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
      return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      Class<?> type = parameter.getParameter().getType();
      return type == Db.class || type == TestDatabase.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      if (parameter.getParameter().getType() == TestDatabase.class) {
        return database;
      }
      return context
          .getStore(ExtensionContext.Namespace.create(GiveDb.class, context.getUniqueId()))
          .computeIfAbsent(Opened.class, key -> new Opened(database.create()), Opened.class)
          .db();
    }
  }

  private record Opened(Db db) implements AutoCloseable {
    @Override
    public void close() {
      db.close();
    }
  }
}
