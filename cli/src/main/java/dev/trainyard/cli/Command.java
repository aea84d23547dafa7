package dev.trainyard.cli;

import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Terminal;
import java.util.concurrent.Callable;

/** Base class of all commands, with access to the session. */
public abstract class Command implements Callable<Integer> {
  private final Session session;

  protected Command(Session session) {
    this.session = session;
  }

  protected final Session session() {
    return session;
  }

  protected final ApiClient api() {
    return session.api();
  }

  protected final Terminal terminal() {
    return session.terminal();
  }

  protected final Localizer localizer() {
    return session.localizer();
  }

  protected final String text(String code, Object... namesAndValues) {
    return session.localizer().text(code, namesAndValues);
  }

  /** Returns the description of an entry, translated if the server gives its message code. */
  protected final String description(Json entry) {
    return entry
        .find("descriptionCode")
        .filter(localizer()::hasMessage)
        .map(code -> text(code))
        .orElse(entry.string("description"));
  }
}
