package dev.trainyard.cli.user;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.ConnectionErrors;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** {@code audit}: shows the audit log. */
@picocli.CommandLine.Command(name = "audit")
public final class AuditCommand extends Command {
  private static final int READ_TIMEOUT_MILLIS = 60_000;
  private static final DateTimeFormatter TIME_FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  @Option(
      names = {"-u", "--user"},
      paramLabel = "USER")
  private String user;

  @Option(names = "--action", paramLabel = "ACTION")
  private String action;

  @Option(names = "--target", paramLabel = "TARGET")
  private String target;

  @Option(names = "--since", paramLabel = "TIME")
  private String since;

  @Option(names = "--until", paramLabel = "TIME")
  private String until;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50")
  private int limit;

  @Option(names = "--csv")
  private boolean csv;

  public AuditCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (csv) {
      return export();
    }
    List<Json> records = new ArrayList<>();
    String afterParameter = "";
    while (records.size() < limit) {
      int pageSize = Math.min(500, limit - records.size());
      Json page = api().read(path() + "&limit=" + pageSize + afterParameter);
      records.addAll(page.list("records"));
      if (page.find("next").isEmpty()) {
        break;
      }
      afterParameter = "&after=" + page.string("next");
    }
    if (session().json()) {
      terminal().line(new Json(records.stream().map(Json::value).toList()).pretty());
    } else {
      print(records);
    }
    return ExitCode.OK;
  }

  private String path() {
    long now = System.currentTimeMillis();
    StringBuilder path = new StringBuilder("/api/v3/audit?");
    append(path, "user", user);
    append(path, "action", action);
    append(path, "target", target);
    append(path, "since", DurationParser.timestamp(since, now).orElse(null));
    append(path, "until", DurationParser.timestamp(until, now).orElse(null));
    // Days are in the time zone of the caller.
    append(path, "zone", ZoneId.systemDefault().getId());
    return path.toString();
  }

  private static void append(StringBuilder path, String name, String value) {
    if (value != null) {
      path.append('&').append(name).append('=').append(ApiClient.encode(value));
    }
  }

  /** Prints all matching records as sent by the server, without a limit. */
  private int export() {
    try (ApiClient.Stream stream = api().open(path() + "&format=csv", READ_TIMEOUT_MILLIS)) {
      byte[] buffer = new byte[64 * 1024];
      int length = stream.bytes().read(buffer);
      while (length >= 0) {
        terminal().writeUnfiltered(buffer, length);
        length = stream.bytes().read(buffer);
      }
      return ExitCode.OK;
    } catch (IOException e) {
      throw ConnectionErrors.of(api().base(), e);
    }
  }

  private void print(List<Json> records) {
    Table table =
        new Table(
                List.of(
                    text("cli.column.time"),
                    text("cli.column.user"),
                    text("cli.column.action"),
                    text("cli.column.target"),
                    text("cli.column.address"),
                    text("cli.column.change")))
            .withDroppableColumns(4);
    for (Json entry : records) {
      table.addRow(
          Cell.of(
              TIME_FORMAT.format(
                  Instant.ofEpochMilli(entry.number("time")).atZone(ZoneId.systemDefault()))),
          Cell.of(entry.string("user")),
          Cell.of(entry.string("action")),
          Cell.of(entry.string("target")),
          Cell.of(entry.string("address")),
          Cell.of(change(entry)));
    }
    terminal().print(table.render(terminal()));
  }

  private static String change(Json entry) {
    boolean hasBefore = !entry.at("before").fields().isEmpty();
    boolean hasAfter = !entry.at("after").fields().isEmpty();
    String oldValue = hasBefore ? entry.at("before").text() : "";
    String newValue = hasAfter ? entry.at("after").text() : "";
    return hasBefore && hasAfter ? oldValue + " → " + newValue : oldValue + newValue;
  }
}
