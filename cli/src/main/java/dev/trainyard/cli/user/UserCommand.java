package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
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
import java.util.stream.Collectors;
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
    Json response = api().read("/api/v3/users");
    if (session().json()) {
      terminal().line(new Json(response.at("users").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.user"),
                text("cli.column.role"),
                text("cli.column.groups"),
                text("cli.column.last-sign-in"),
                text("cli.column.created")));
    for (Json user : response.list("users")) {
      String role =
          user.isTrue("disabled") ? "disabled" : user.isTrue("admin") ? "admin" : "ordinary";
      table.addRow(
          Cell.of(user.string("name")),
          new Cell(text("cli.user." + role), user.isTrue("disabled") ? Style.DIM : Style.NONE),
          Cell.of(user.list("groups").stream().map(Json::text).collect(Collectors.joining(", "))),
          Cell.of(ago(user, "lastSignIn")),
          Cell.of(ago(user, "created")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  private String ago(Json user, String field) {
    return user.findLong(field)
        .map(time -> localizer().ago(time, System.currentTimeMillis()))
        .orElse("");
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
      fields.put("password", new SecretReader(session(), passwordStdin).readNewPassword(name));
    }
    Json response = api().post("/api/v3/users", fields);
    return report(response, "cli.user.added", name);
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
    String currentUser = session().user();
    String user = name == null ? currentUser : name;
    SecretReader secret = new SecretReader(session(), passwordStdin);
    Map<String, Object> fields = new LinkedHashMap<>();
    // The local token allows a new password without the old one.
    boolean oldPasswordUnneeded = generate && session().server().isTokenFromDataDirectory();
    if (user.equals(currentUser) && !oldPasswordUnneeded) {
      fields.put("old", secret.read("cli.password.old", user));
    }
    if (!generate) {
      fields.put("new", secret.readNewPassword(user));
    }
    if (revokeTokens) {
      fields.put("revokeTokens", true);
    }
    Json response = api().put(path(user) + "/password", fields);
    return report(response, "cli.user.password-changed", user);
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
    Json response = api().patch(path(name), Map.of("admin", !revoke));
    return report(response, revoke ? "cli.user.no-admin" : "cli.user.is-admin", name);
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
    List<String> parameters = new ArrayList<>();
    if (subject != null) {
      parameters.add("subject=" + ApiClient.encode(subject));
    }
    if (issuer != null) {
      parameters.add("issuer=" + ApiClient.encode(issuer));
    }
    String query = parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    api().delete(path(name) + "/identities" + query);
    return report(new Json(null), "cli.user.unlinked", name);
  }

  @picocli.CommandLine.Command(name = "limit")
  int limit(
      @Parameters(paramLabel = "USER", descriptionKey = "user") String name,
      @Mixin UserLimitOptions options) {
    Map<String, Object> fields = options.fields(session());
    String limitsPath = LimitText.path(name);
    Json response = fields.isEmpty() ? api().read(limitsPath) : api().patch(limitsPath, fields);
    if (session().json()) {
      terminal().line(response.pretty());
    } else {
      terminal().print(LimitText.format(session(), response));
    }
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "USER", descriptionKey = "user") String name) {
    api().delete(path(name));
    return report(new Json(null), "cli.user.removed", name);
  }

  private int report(Json response, String code, String name) {
    if (session().json()) {
      terminal().line(response.isPresent() ? response.text() : "{}");
      return ExitCode.OK;
    }
    terminal().line(text(code, "user", name));
    response
        .find("password")
        .ifPresent(password -> terminal().line(text("cli.user.password", "password", password)));
    return ExitCode.OK;
  }

  private static String path(String user) {
    return "/api/v3/users/" + ApiClient.encode(user);
  }
}
