package dev.trainyard.cli;

import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Prints a list of files with size and time, or as JSON if the option {@code --json} is set. */
public final class FileTable {
  private static final DateTimeFormatter TIME_FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

  private FileTable() {}

  public static void print(Session session, List<Json> files) {
    if (session.json()) {
      session.terminal().line(new Json(files.stream().map(Json::value).toList()).pretty());
      return;
    }
    Localizer localizer = session.localizer();
    Table table =
        new Table(
            List.of(
                localizer.text("cli.column.name"),
                localizer.text("cli.column.size"),
                localizer.text("cli.column.modified")));
    for (Json file : files) {
      String slash = file.string("kind").equals("directory") ? "/" : "";
      Instant modified = Instant.ofEpochMilli(file.number("modified"));
      table.addRow(
          Cell.of(file.string("name") + slash),
          Cell.of(file.findLong("size").map(Localizer::bytes).orElse("-")),
          Cell.of(TIME_FORMAT.format(modified.atZone(ZoneId.systemDefault()))));
    }
    session.terminal().print(table.render(session.terminal()));
  }
}
