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
      terminal().note(text("cli.settings.usual"));
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.name"),
                text("cli.column.value"),
                text("cli.column.from"),
                text("cli.column.description")));
    for (Json setting : visibleSettings) {
      table.addRow(
          Cell.of(setting.string("name")),
          Cell.of(setting.find("value").orElse("")),
          Cell.of(localizer().enumText("cli.settings", setting.string("source"))),
          Cell.of(description(setting)));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }
}
