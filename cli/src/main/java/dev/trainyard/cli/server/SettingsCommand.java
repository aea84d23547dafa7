package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code settings}: shows the settings of the server. */
@picocli.CommandLine.Command(name = "settings")
public final class SettingsCommand extends Command {
  @Option(names = {"-a", "--all"})
  private boolean all;

  public SettingsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json answer = api().read("/api/v3/settings");
    List<Json> shown =
        answer.list("settings").stream()
            .filter(one -> all || !one.string("source").equals("default"))
            .toList();
    if (session().json()) {
      terminal().line(new Json(shown.stream().map(Json::value).toList()).pretty());
      return ExitCode.OK;
    }
    if (shown.isEmpty()) {
      terminal().note(say("cli.settings.usual"));
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                say("cli.column.name"),
                say("cli.column.value"),
                say("cli.column.from"),
                say("cli.column.description")));
    for (Json one : shown) {
      String description =
          one.find("descriptionCode")
              .filter(words()::knows)
              .map(code -> say(code))
              .orElse(one.string("description"));
      table.row(
          Cell.of(one.string("name")),
          Cell.of(one.find("value").orElse("")),
          Cell.of(words().word("cli.settings", one.string("source"))),
          Cell.of(description));
    }
    terminal().print(table.on(terminal()));
    return ExitCode.OK;
  }
}
