package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code requests}: manages requests to the administrators. */
@picocli.CommandLine.Command(name = "requests")
public final class RequestsCommand extends Command {
  private static final String PATH = "/api/v3/requests";
  private static final int MOST_AT_ONCE = 500;

  @Option(names = {"-a", "--all"})
  private boolean all;

  @Option(names = "--state", paramLabel = "STATE")
  private String state;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50")
  private int limit;

  public RequestsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    List<Json> requests = load();
    if (session().json()) {
      terminal().line(new Json(requests.stream().map(Json::value).toList()).pretty());
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
    for (Json request : requests) {
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

  private List<Json> load() {
    String query = "?all=" + all + (state == null ? "" : "&state=" + Api.part(state));
    List<Json> requests = new ArrayList<>();
    String after = "";
    while (requests.size() < limit) {
      int piece = Math.min(MOST_AT_ONCE, limit - requests.size());
      Json page = api().read(PATH + query + "&limit=" + piece + after);
      requests.addAll(page.list("requests"));
      if (page.find("next").isEmpty()) {
        break;
      }
      after = "&after=" + page.string("next");
    }
    return requests;
  }

  @picocli.CommandLine.Command(name = "create", aliases = "ask")
  int create(
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
    Json created = api().post(PATH, fields);
    return report(created, "cli.requests.asked", created.string("id"));
  }

  @picocli.CommandLine.Command(name = "withdraw")
  int withdraw(@Parameters(paramLabel = "ID", descriptionKey = "request-id") String id) {
    api().delete(PATH + "/" + Api.part(id));
    return report(new Json(null), "cli.requests.withdrawn", id);
  }

  @picocli.CommandLine.Command(name = "grant")
  int grant(
      @Parameters(paramLabel = "ID", descriptionKey = "request-id") String id,
      @Option(names = "--word", paramLabel = "TEXT") String word,
      @Option(names = "--group", paramLabel = "GROUP", split = ",") List<String> groups) {
    return decide(id, "grant", word, groups);
  }

  @picocli.CommandLine.Command(name = "reject", aliases = "refuse")
  int reject(
      @Parameters(paramLabel = "ID", descriptionKey = "request-id") String id,
      @Option(names = "--word", paramLabel = "TEXT") String word) {
    return decide(id, "refuse", word, null);
  }

  private int decide(String id, String how, String word, List<String> groups) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (word != null) {
      fields.put("word", word);
    }
    if (groups != null) {
      fields.put("groups", groups);
    }
    Json answer = api().post(PATH + "/" + Api.part(id) + "/" + how, fields);
    return report(answer, "cli.requests.answered", id);
  }

  private int report(Json answer, String code, String id) {
    if (session().json()) {
      terminal().line(answer.isPresent() ? answer.pretty() : "{}");
    } else {
      terminal().line(say(code, "id", id));
    }
    return ExitCode.OK;
  }
}
