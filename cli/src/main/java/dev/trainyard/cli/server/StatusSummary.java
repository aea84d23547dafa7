package dev.trainyard.cli.server;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.model.AppException;
import dev.trainyard.model.Message;
import java.util.List;
import java.util.stream.Collectors;

/** Prints the parts of the server status that an administrator must see after every start. */
public final class StatusSummary {
  private final Session session;

  public StatusSummary(Session session) {
    this.session = session;
  }

  /**
   * Requests and prints the status of a server that was just started. Prints nothing if the caller
   * is not allowed to read the status, because the server was started successfully anyway.
   */
  public void printIfAvailable() {
    Json status;
    try {
      status = session.api().read("/api/v3/status");
    } catch (AppException e) {
      return;
    }
    print(status);
  }

  /** Prints the engine with the reason of its choice, and the warnings. */
  public void print(Json status) {
    session
        .terminal()
        .note(session.localizer().text("cli.up.engine", "engine", engineText(status)));
    for (String warning : warnings(status)) {
      session.terminal().note(warning);
    }
  }

  /** Prints the warnings to standard output and returns their number. */
  int printWarnings(Json status) {
    List<String> warnings = warnings(status);
    warnings.forEach(session.terminal()::line);
    return warnings.size();
  }

  String engineText(Json status) {
    String engine =
        PlainText.of(
            status.find("engine").orElseGet(() -> session.localizer().text("cli.status.unknown")));
    String reasons =
        status.list("engineReasons").stream()
            .map(this::translate)
            .collect(Collectors.joining(session.localizer().text("cli.status.reason-separator")));
    return reasons.isEmpty()
        ? engine
        : session
            .localizer()
            .text("cli.status.engine-because", "engine", engine, "reason", reasons);
  }

  private List<String> warnings(Json status) {
    String label =
        session.terminal().styled(Style.BAD, session.localizer().text("cli.status.warning"));
    return status.list("warnings").stream().map(warning -> label + translate(warning)).toList();
  }

  private String translate(Json message) {
    String code = message.string("code");
    return PlainText.of(
        session.localizer().hasMessage(code)
            ? session.localizer().text(new Message(code, message.at("params").fields()))
            : message.string("message"));
  }
}
