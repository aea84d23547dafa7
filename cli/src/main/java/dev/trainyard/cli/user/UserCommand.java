package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.team.LimitText;
import dev.trainyard.cli.team.UserLimitOptions;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code user …}: manages users. */
@picocli.CommandLine.Command(name = "user", aliases = "users")
public final class UserCommand extends Command {
  @Spec private CommandSpec spec;

  public UserCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    terminal().print(spec.commandLine().getUsageMessage());
    return ExitCode.USAGE;
  }

  @picocli.CommandLine.Command(name = "ls")
  int list() {
    Json answer = api().read("/api/v3/users");
    if (session().json()) {
      terminal().line(new Json(answer.at("users").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(say("cli.column.user"), say("cli.column.role"), say("cli.column.created")));
    for (Json user : answer.list("users")) {
      String role =
          user.isTrue("disabled") ? "disabled" : user.isTrue("admin") ? "admin" : "ordinary";
      table.row(
          Cell.of(user.string("name")),
          new Cell(say("cli.user." + role), user.isTrue("disabled") ? Style.DIM : Style.NONE),
          Cell.of(
              user.findLong("created")
                  .map(at -> words().ago(at, System.currentTimeMillis()))
                  .orElse("")));
    }
    terminal().print(table.on(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "add")
  int add(
      @Parameters(paramLabel = "USER", descriptionKey = "user") String name,
      @Option(names = "--admin") boolean admin,
      @Option(names = "--password") boolean askPassword,
      @Option(names = "--password-stdin") boolean passwordStdin) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("admin", admin);
    if (askPassword || passwordStdin) {
      fields.put("password", new Secret(session(), passwordStdin).choose(name));
    }
    Json answer = api().post("/api/v3/users", fields);
    return report(answer, "cli.user.added", name);
  }

  @picocli.CommandLine.Command(name = "import")
  int importFile(
      @Parameters(paramLabel = "FILE", descriptionKey = "import-file") String file,
      @Option(names = {"-n", "--dry-run"}) boolean dryRun) {
    return new UserFile(session(), file).send(dryRun);
  }

  @picocli.CommandLine.Command(name = "passwd")
  int password(
      @Parameters(paramLabel = "USER", arity = "0..1", descriptionKey = "user-or-me") String name,
      @Option(names = "--generate") boolean generate,
      @Option(names = "--password-stdin") boolean passwordStdin,
      @Option(names = "--revoke-tokens") boolean revokeTokens) {
    String me = session().user();
    String user = name == null ? me : name;
    Secret secret = new Secret(session(), passwordStdin);
    Map<String, Object> fields = new LinkedHashMap<>();
    if (user.equals(me) && !generate) {
      fields.put("old", secret.ask("cli.password.old", user));
    }
    if (!generate) {
      fields.put("new", secret.choose(user));
    }
    if (revokeTokens) {
      fields.put("revokeTokens", true);
    }
    Json answer = api().put(path(user) + "/password", fields);
    return report(answer, "cli.user.password-changed", user);
  }

  @picocli.CommandLine.Command(name = "disable")
  int disable(@Parameters(paramLabel = "USER", descriptionKey = "user") String name) {
    return report(api().patch(path(name), Map.of("disabled", true)), "cli.user.was-disabled", name);
  }

  @picocli.CommandLine.Command(name = "enable")
  int enable(@Parameters(paramLabel = "USER", descriptionKey = "user") String name) {
    return report(api().patch(path(name), Map.of("disabled", false)), "cli.user.was-enabled", name);
  }

  @picocli.CommandLine.Command(name = "admin")
  int admin(
      @Parameters(paramLabel = "USER", descriptionKey = "user") String name,
      @Option(names = "--revoke") boolean revoke) {
    Json answer = api().patch(path(name), Map.of("admin", !revoke));
    return report(answer, revoke ? "cli.user.no-admin" : "cli.user.is-admin", name);
  }

  @picocli.CommandLine.Command(name = "link")
  int link(
      @Parameters(paramLabel = "USER", descriptionKey = "user") String name,
      @Parameters(paramLabel = "SUBJECT", descriptionKey = "subject") String subject,
      @Option(names = "--issuer", paramLabel = "ISSUER") String issuer) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("subject", subject);
    if (issuer != null) {
      fields.put("issuer", issuer);
    }
    return report(api().post(path(name) + "/identities", fields), "cli.user.linked", name);
  }

  @picocli.CommandLine.Command(name = "unlink")
  int unlink(
      @Parameters(paramLabel = "USER", descriptionKey = "user") String name,
      @Parameters(paramLabel = "SUBJECT", arity = "0..1", descriptionKey = "subject-or-all")
          String subject,
      @Option(names = "--issuer", paramLabel = "ISSUER") String issuer) {
    List<String> which = new ArrayList<>();
    if (subject != null) {
      which.add("subject=" + Api.part(subject));
    }
    if (issuer != null) {
      which.add("issuer=" + Api.part(issuer));
    }
    String query = which.isEmpty() ? "" : "?" + String.join("&", which);
    api().delete(path(name) + "/identities" + query);
    return report(new Json(null), "cli.user.unlinked", name);
  }

  @picocli.CommandLine.Command(name = "limit")
  int limit(
      @Parameters(paramLabel = "USER", descriptionKey = "user") String name,
      @Mixin UserLimitOptions options) {
    Map<String, Object> fields = options.fields(session());
    String place = LimitText.path(name);
    Json answer = fields.isEmpty() ? api().read(place) : api().patch(place, fields);
    if (session().json()) {
      terminal().line(answer.pretty());
    } else {
      terminal().print(LimitText.of(session(), answer));
    }
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "USER", descriptionKey = "user") String name) {
    api().delete(path(name));
    return report(new Json(null), "cli.user.removed", name);
  }

  private int report(Json answer, String code, String name) {
    if (session().json()) {
      terminal().line(answer.isPresent() ? answer.text() : "{}");
      return ExitCode.OK;
    }
    terminal().line(say(code, "user", name));
    answer
        .find("password")
        .ifPresent(password -> terminal().line(say("cli.user.password", "password", password)));
    return ExitCode.OK;
  }

  private static String path(String user) {
    return "/api/v3/users/" + Api.part(user);
  }
}
