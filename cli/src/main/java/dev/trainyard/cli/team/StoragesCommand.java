package dev.trainyard.cli.team;

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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code storages}: manages directories that jobs of several users share. */
@picocli.CommandLine.Command(name = "storages")
public final class StoragesCommand extends Command {
  public StoragesCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json response = api().read("/api/v3/storages");
    if (session().json()) {
      terminal().line(new Json(response.at("storages").value()).pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.storage"),
                text("cli.column.access"),
                text("cli.column.default"),
                text("cli.column.description")));
    for (Json storage : response.list("storages")) {
      table.addRow(
          Cell.of(storage.string("name")),
          Cell.of(text(storage.isTrue("readOnly") ? "cli.storages.read" : "cli.storages.write")),
          Cell.of(storage.isTrue("default") ? text("cli.storages.default") : ""),
          Cell.of(storage.string("description")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "create")
  int create(
      @Parameters(paramLabel = "STORAGE", descriptionKey = "storage") String name,
      @Option(names = "--description", paramLabel = "TEXT") String description,
      @Option(names = "--read-only") boolean readOnly,
      @Option(names = "--default") boolean isDefault) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("description", description == null ? "" : description);
    fields.put("readOnly", readOnly);
    fields.put("default", isDefault);
    Json response = api().post("/api/v3/storages", fields);
    terminal()
        .line(session().json() ? response.pretty() : text("cli.storages.created", "storage", name));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "STORAGE", descriptionKey = "storage") String name) {
    api().delete("/api/v3/storages/" + ApiClient.encode(name));
    terminal().line(session().json() ? "{}" : text("cli.storages.removed", "storage", name));
    return ExitCode.OK;
  }
}
