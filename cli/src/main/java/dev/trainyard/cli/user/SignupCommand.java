package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code signup}: manages how users sign up; for administrators. */
@picocli.CommandLine.Command(name = "signup")
public final class SignupCommand extends Command {
  private static final String PATH = "/api/v3/signup";

  public SignupCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return show(api().read(PATH + "/settings"));
  }

  private int show(Json settings) {
    if (session().json()) {
      terminal().line(settings.pretty());
      return ExitCode.OK;
    }
    String mode = settings.string("mode");
    terminal().line(text("cli.signup.mode", "mode", mode, "meaning", meaning(mode)));
    for (String language : List.of("en", "zh")) {
      String text = settings.at("text").string(language);
      if (!text.isEmpty()) {
        terminal().line(text("cli.signup.text", "language", language, "text", PlainText.of(text)));
      }
    }
    return ExitCode.OK;
  }

  private String meaning(String mode) {
    return localizer().enumText("cli.signup.meaning", mode);
  }

  @picocli.CommandLine.Command(name = "set")
  int set(
      @Option(names = "--mode", paramLabel = "MODE") String mode,
      @Option(names = "--text-en", paramLabel = "TEXT") String textEn,
      @Option(names = "--text-zh", paramLabel = "TEXT") String textZh) {
    Map<String, Object> fields = new LinkedHashMap<>();
    Map<String, Object> text = new LinkedHashMap<>();
    putIfGiven(fields, "mode", mode);
    putIfGiven(text, "en", textEn);
    putIfGiven(text, "zh", textZh);
    if (!text.isEmpty()) {
      fields.put("text", text);
    }
    return show(api().put(PATH + "/settings", fields));
  }

  private static void putIfGiven(Map<String, Object> fields, String name, Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  @picocli.CommandLine.Command(name = "codes")
  int codes() {
    Json response = api().read(PATH + "/codes");
    if (session().json()) {
      terminal().line(new Json(response.at("codes").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.id"),
                text("cli.column.uses-left"),
                text("cli.column.expires"),
                text("cli.column.groups"),
                text("cli.column.note")));
    long now = System.currentTimeMillis();
    for (Json code : response.list("codes")) {
      table.addRow(
          Cell.of(code.string("id")),
          Cell.of(
              code.isTrue("revoked")
                  ? text("cli.signup.revoked")
                  : code.number("usesLeft") + "/" + code.number("uses")),
          Cell.of(
              code.findLong("expires")
                  .map(expiry -> localizer().duration(Math.max(0, (expiry - now) / 1000)))
                  .orElse(text("cli.tokens.never"))),
          Cell.of(String.join(" ", strings(code.at("groups")))),
          Cell.of(code.string("note")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  private static List<String> strings(Json list) {
    return list.value() instanceof List<?> items
        ? items.stream().map(String::valueOf).toList()
        : List.of();
  }

  @picocli.CommandLine.Command(name = "invite")
  int invite(
      @Option(names = "--uses", paramLabel = "N", defaultValue = "1") int uses,
      @Option(names = "--expires", paramLabel = "TIME") String expires,
      @Option(names = "--group", paramLabel = "GROUP") List<String> groups,
      @Option(names = "--note", paramLabel = "TEXT") String note) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("uses", uses);
    putIfGiven(fields, "groups", groups);
    putIfGiven(fields, "note", note);
    if (expires != null) {
      OptionalLong seconds = DurationParser.seconds(expires);
      if (seconds.isEmpty()) {
        throw session().usageError("cli.wrong.value", "name", "--expires", "value", expires);
      }
      fields.put("expiresInSeconds", seconds.getAsLong());
    }
    Json created = api().post(PATH + "/codes", fields);
    if (session().json()) {
      terminal().line(created.pretty());
      return ExitCode.OK;
    }
    terminal().note(text("cli.signup.invited", "id", created.string("id")));
    terminal().line(created.string("code"));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "revoke")
  int revoke(@Parameters(paramLabel = "ID", descriptionKey = "invitation-id") String id) {
    api().delete(PATH + "/codes/" + ApiClient.encode(id));
    return report(new Json(Map.of()), "cli.signup.was-revoked", id);
  }

  @picocli.CommandLine.Command(name = "pending")
  int pending() {
    Json response = api().read(PATH + "/pending");
    if (session().json()) {
      terminal().line(new Json(response.at("pending").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.id"),
                text("cli.column.user"),
                text("cli.column.email"),
                text("cli.column.created"),
                text("cli.column.message")));
    long now = System.currentTimeMillis();
    for (Json applicant : response.list("pending")) {
      table.addRow(
          Cell.of(applicant.string("id")),
          Cell.of(applicant.string("name")),
          Cell.of(applicant.string("email")),
          Cell.of(localizer().ago(applicant.number("created"), now)),
          Cell.of(applicant.string("message")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "approve")
  int approve(
      @Parameters(paramLabel = "ID", descriptionKey = "pending-id") String id,
      @Option(names = "--group", paramLabel = "GROUP") List<String> groups) {
    Map<String, Object> fields = new LinkedHashMap<>();
    putIfGiven(fields, "groups", groups);
    return report(api().post(pendingPath(id) + "/approve", fields), "cli.signup.approved", id);
  }

  @picocli.CommandLine.Command(name = "reject", aliases = "refuse")
  int reject(
      @Parameters(paramLabel = "ID", descriptionKey = "pending-id") String id,
      @Option(names = "--word", paramLabel = "TEXT") String reason) {
    Map<String, Object> fields = new LinkedHashMap<>();
    putIfGiven(fields, "word", reason);
    return report(api().post(pendingPath(id) + "/refuse", fields), "cli.signup.refused", id);
  }

  private static String pendingPath(String id) {
    return PATH + "/pending/" + ApiClient.encode(id);
  }

  private int report(Json response, String code, String id) {
    if (session().json()) {
      terminal().line(response.isPresent() ? response.text() : "{}");
    } else {
      terminal().line(text(code, "id", id));
    }
    return ExitCode.OK;
  }
}
