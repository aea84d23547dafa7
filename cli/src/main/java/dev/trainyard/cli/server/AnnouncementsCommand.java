package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.cli.user.DurationParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code announcements}: manages the announcements of the administrators. */
@picocli.CommandLine.Command(name = "announcements")
public final class AnnouncementsCommand extends Command {
  private static final String PATH = "/api/v3/announcements";

  @Option(names = {"-a", "--all"})
  private boolean all;

  public AnnouncementsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json response = api().read(PATH + "?all=" + all);
    if (session().json()) {
      terminal().line(response.pretty());
      return ExitCode.OK;
    }
    Table table =
        new Table(
            List.of(
                text("cli.column.id"),
                text("cli.column.kind"),
                text("cli.column.what"),
                text("cli.column.user")));
    for (Json announcement : response.list("announcements")) {
      String text = announcement.string("text").strip();
      table.addRow(
          Cell.of(announcement.string("id")),
          Cell.of(localizer().enumText("cli.announcements.level", announcement.string("level"))),
          Cell.of(
              announcement.string("title")
                  + (text.isEmpty() ? "" : ": " + text.replace('\n', ' '))),
          Cell.of(announcement.string("user")));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "add")
  int add(
      @Parameters(paramLabel = "TITLE", descriptionKey = "announcement-title") String title,
      @Option(names = "--text", paramLabel = "TEXT") String text,
      @Option(names = "--level", paramLabel = "LEVEL", defaultValue = "info") String level,
      @Option(names = "--for", paramLabel = "TIME") String duration) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("title", title);
    fields.put("level", level);
    if (text != null) {
      fields.put("text", text);
    }
    if (duration != null) {
      long seconds =
          DurationParser.seconds(duration)
              .orElseThrow(() -> session().usageError("cli.wrong.span", "value", duration));
      fields.put("until", System.currentTimeMillis() + seconds * 1000);
    }
    Json created = api().post(PATH, fields);
    terminal()
        .line(
            session().json() ? created.pretty() : text("cli.announcements.added", "title", title));
    return ExitCode.OK;
  }

  @picocli.CommandLine.Command(name = "rm")
  int remove(@Parameters(paramLabel = "ID", descriptionKey = "announcement-id") String id) {
    api().delete(PATH + "/" + ApiClient.encode(id));
    terminal().line(session().json() ? "{}" : text("cli.announcements.removed", "id", id));
    return ExitCode.OK;
  }
}
