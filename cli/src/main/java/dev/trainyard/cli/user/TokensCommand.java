package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tokens}: manages sessions and application tokens. */
@picocli.CommandLine.Command(name = "tokens")
public final class TokensCommand extends Command {
  @Option(
      names = {"-u", "--user"},
      paramLabel = "USER")
  private String user;

  public TokensCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json response = api().read(path(user));
    if (session().json()) {
      terminal().line(new Json(response.at("tokens").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.id"),
                text("cli.column.name"),
                text("cli.column.kind"),
                text("cli.column.scope"),
                text("cli.column.used"),
                text("cli.column.expires")));
    long now = System.currentTimeMillis();
    for (Json token : response.list("tokens")) {
      table.addRow(
          Cell.of(token.string("id")),
          Cell.of(token.isTrue("current") ? text("cli.tokens.current") : token.string("name")),
          Cell.of(localizer().enumText("cli.tokens.kind", token.string("kind"))),
          Cell.of(token.string("scope")),
          Cell.of(
              token
                  .findLong("lastUsed")
                  .map(time -> localizer().ago(time, now))
                  .orElse(text("cli.tokens.unused"))),
          Cell.of(
              token
                  .findLong("expires")
                  .map(expiry -> localizer().duration(Math.max(0, (expiry - now) / 1000)))
                  .orElse(text("cli.tokens.never"))));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "create")
  int create(
      @Parameters(paramLabel = "NAME", descriptionKey = "token-name") String name,
      @Option(names = "--scope", paramLabel = "SCOPE", defaultValue = "all") String scope,
      @Option(names = "--expires", paramLabel = "TIME") String expires) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("scope", scope);
    if (expires != null) {
      OptionalLong seconds = DurationParser.seconds(expires);
      if (seconds.isEmpty()) {
        throw session().usageError("cli.wrong.value", "name", "--expires", "value", expires);
      }
      fields.put("expiresInSeconds", seconds.getAsLong());
    }
    Json response = api().post(path(null), fields);
    if (session().json()) {
      terminal().line(response.pretty());
      return ExitCode.OK;
    }
    terminal().note(text("cli.tokens.created", "id", response.string("id")));
    terminal().line(response.string("token"));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "revoke")
  int revoke(
      @Parameters(paramLabel = "ID", descriptionKey = "token-id") String id,
      @Option(
              names = {"-u", "--user"},
              paramLabel = "USER")
          String holder) {
    api().delete(path(holder) + "/" + ApiClient.encode(id));
    terminal().line(session().json() ? "{}" : text("cli.tokens.revoked", "id", id));
    return ExitCode.OK;
  }

  private static String path(String holder) {
    return holder == null
        ? "/api/v3/tokens"
        : "/api/v3/users/" + ApiClient.encode(holder) + "/tokens";
  }
}
