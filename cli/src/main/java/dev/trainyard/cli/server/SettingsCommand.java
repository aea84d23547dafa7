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
    Json response = api().read("/api/v3/settings");
    List<Json> visibleSettings =
        response.list("settings").stream()
            .filter(setting -> all || !setting.string("source").equals("default"))
            .toList();
    if (session().json()) {
      terminal().line(new Json(visibleSettings.stream().map(Json::value).toList()).pretty());
      return ExitCode.OK;
    }
    if (visibleSettings.isEmpty()) {
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
    for (Json setting : visibleSettings) {
      String description =
          setting
              .find("descriptionCode")
              .filter(words()::hasMessage)
              .map(code -> say(code))
              .orElse(setting.string("description"));
      table.addRow(
          Cell.of(setting.string("name")),
          Cell.of(setting.find("value").orElse("")),
          Cell.of(words().enumText("cli.settings", setting.string("source"))),
          Cell.of(description));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }
}
