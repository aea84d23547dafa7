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
                say("cli.column.id"),
                say("cli.column.name"),
                say("cli.column.kind"),
                say("cli.column.scope"),
                say("cli.column.used"),
                say("cli.column.expires")));
    long now = System.currentTimeMillis();
    for (Json token : response.list("tokens")) {
      table.addRow(
          Cell.of(token.string("id")),
          Cell.of(token.isTrue("current") ? say("cli.tokens.current") : token.string("name")),
          Cell.of(words().enumText("cli.tokens.kind", token.string("kind"))),
          Cell.of(token.string("scope")),
          Cell.of(words().ago(token.number("lastUsed"), now)),
          Cell.of(
              token
                  .findLong("expires")
                  .map(expiry -> words().duration(Math.max(0, (expiry - now) / 1000)))
                  .orElse(say("cli.tokens.never"))));
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
        throw session().wrong("cli.wrong.value", "name", "--expires", "value", expires);
      }
      fields.put("expiresInSeconds", seconds.getAsLong());
    }
    Json response = api().post(path(null), fields);
    if (session().json()) {
      terminal().line(response.pretty());
      return ExitCode.OK;
    }
    terminal().note(say("cli.tokens.created", "id", response.string("id")));
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
    api().delete(path(holder) + "/" + Api.encode(id));
    terminal().line(session().json() ? "{}" : say("cli.tokens.revoked", "id", id));
    return ExitCode.OK;
  }

  private static String path(String holder) {
    return holder == null ? "/api/v3/tokens" : "/api/v3/users/" + Api.encode(holder) + "/tokens";
  }
}
