package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
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
  private static final int MAX_PAGE_SIZE = 500;

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
    List<Json> requests = loadRequests();
    if (session().json()) {
      terminal().line(new Json(requests.stream().map(Json::value).toList()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.id"),
                text("cli.column.user"),
                text("cli.column.kind"),
                text("cli.column.what"),
                text("cli.column.state"),
                text("cli.column.answer")));
    for (Json request : requests) {
      String subject = request.string("what");
      table.addRow(
          Cell.of(request.string("id")),
          Cell.of(request.string("user")),
          Cell.of(localizer().enumText("cli.requests.kind", request.string("kind"))),
          Cell.of(subject.isEmpty() ? request.string("text") : subject),
          Cell.of(localizer().enumText("cli.requests.state", request.string("state"))),
          Cell.of(request.string("word")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  private List<Json> loadRequests() {
    String query = "?all=" + all + (state == null ? "" : "&state=" + ApiClient.encode(state));
    List<Json> requests = new ArrayList<>();
    String afterParameter = "";
    while (requests.size() < limit) {
      int pageSize = Math.min(MAX_PAGE_SIZE, limit - requests.size());
      Json page = api().read(PATH + query + "&limit=" + pageSize + afterParameter);
      requests.addAll(page.list("requests"));
      if (page.find("next").isEmpty()) {
        break;
      }
      afterParameter = "&after=" + page.string("next");
    }
    return requests;
  }

  @picocli.CommandLine.Command(name = "create", aliases = "ask")
  int create(
      @Parameters(paramLabel = "KIND", descriptionKey = "request-kind") String kind,
      @Parameters(paramLabel = "WHAT", arity = "0..1", descriptionKey = "request-what")
          String subject,
      @Option(names = "--text", paramLabel = "TEXT") String text) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", kind);
    if (subject != null) {
      fields.put("what", subject);
    }
    if (text != null) {
      fields.put("text", text);
    }
    Json created = api().post(PATH, fields);
    return report(created, "cli.requests.asked", created.string("id"));
  }

  @picocli.CommandLine.Command(name = "withdraw")
  int withdraw(@Parameters(paramLabel = "ID", descriptionKey = "request-id") String id) {
    api().delete(PATH + "/" + ApiClient.encode(id));
    return report(new Json(null), "cli.requests.withdrawn", id);
  }

  @picocli.CommandLine.Command(name = "grant")
  int grant(
      @Parameters(paramLabel = "ID", descriptionKey = "request-id") String id,
      @Option(names = "--word", paramLabel = "TEXT") String comment,
      @Option(names = "--group", paramLabel = "GROUP", split = ",") List<String> groups) {
    return decide(id, "grant", comment, groups);
  }

  @picocli.CommandLine.Command(name = "reject", aliases = "refuse")
  int reject(
      @Parameters(paramLabel = "ID", descriptionKey = "request-id") String id,
      @Option(names = "--word", paramLabel = "TEXT") String comment) {
    return decide(id, "refuse", comment, null);
  }

  private int decide(String id, String decision, String comment, List<String> groups) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (comment != null) {
      fields.put("word", comment);
    }
    if (groups != null) {
      fields.put("groups", groups);
    }
    Json response = api().post(PATH + "/" + ApiClient.encode(id) + "/" + decision, fields);
    return report(response, "cli.requests.answered", id);
  }

  private int report(Json response, String code, String id) {
    if (session().json()) {
      terminal().line(response.isPresent() ? response.pretty() : "{}");
    } else {
      terminal().line(text(code, "id", id));
    }
    return ExitCode.OK;
  }
}
