package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code requests}: ask administrators for more, and answer. */
@picocli.CommandLine.Command(name = "requests")
public final class RequestsCommand extends Command {
  private static final String PATH = "/api/v3/requests";

  @Option(names = {"-a", "--all"})
  private boolean all;

  @Option(names = "--state", paramLabel = "STATE")
  private String state;

  public RequestsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    String query = "?all=" + all + (state == null ? "" : "&state=" + Api.part(state));
    Json answer = api().read(PATH + query);
    if (session().json()) {
      terminal().line(new Json(answer.at("requests").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                say("cli.column.id"),
                say("cli.column.user"),
                say("cli.column.kind"),
                say("cli.column.what"),
                say("cli.column.state"),
                say("cli.column.answer")));
    for (Json request : answer.list("requests")) {
      String what = request.string("what");
      table.row(
          Cell.of(request.string("id")),
          Cell.of(request.string("user")),
          Cell.of(words().word("cli.requests.kind", request.string("kind"))),
          Cell.of(what.isEmpty() ? request.string("text") : what),
          Cell.of(words().word("cli.requests.state", request.string("state"))),
          Cell.of(request.string("word")));
    }
    terminal().print(table.on(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "ask")
  int ask(
      @Parameters(paramLabel = "KIND", descriptionKey = "request-kind") String kind,
      @Parameters(paramLabel = "WHAT", arity = "0..1", descriptionKey = "request-what") String what,
      @Option(names = "--text", paramLabel = "TEXT") String text) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", kind);
    if (what != null) {
      fields.put("what", what);
    }
    if (text != null) {
      fields.put("text", text);
    }
    Json made = api().post(PATH, fields);
    return told(made, "cli.requests.asked", made.string("id"));
  }

  @picocli.CommandLine.Command(name = "withdraw")
  int withdraw(@Parameters(paramLabel = "ID", descriptionKey = "request-id") String id) {
    api().delete(PATH + "/" + Api.part(id));
    return told(new Json(null), "cli.requests.withdrawn", id);
  }

  @picocli.CommandLine.Command(name = "grant")
  int grant(
      @Parameters(paramLabel = "ID", descriptionKey = "request-id") String id,
      @Option(names = "--word", paramLabel = "TEXT") String word) {
    return decide(id, "grant", word);
  }

  @picocli.CommandLine.Command(name = "refuse")
  int refuse(
      @Parameters(paramLabel = "ID", descriptionKey = "request-id") String id,
      @Option(names = "--word", paramLabel = "TEXT") String word) {
    return decide(id, "refuse", word);
  }

  private int decide(String id, String how, String word) {
    Map<String, Object> fields = word == null ? Map.of() : Map.of("word", word);
    Json answer = api().post(PATH + "/" + Api.part(id) + "/" + how, fields);
    return told(answer, "cli.requests.answered", id);
  }

  private int told(Json answer, String code, String id) {
    if (session().json()) {
      terminal().line(answer.isPresent() ? answer.pretty() : "{}");
    } else {
      terminal().line(say(code, "id", id));
    }
    return ExitCode.OK;
  }
}
