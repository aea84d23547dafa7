package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.ConnectionErrors;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.Table;
import dev.trainyard.cli.terminal.Table.Cell;
import dev.trainyard.cli.user.DurationParser;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** {@code usage}: shows device hours and CPU hours by user and day. */
@picocli.CommandLine.Command(name = "usage")
public final class UsageCommand extends Command {
  private static final int READ_TIMEOUT_MILLIS = 60_000;

  @Option(names = "--since", paramLabel = "TIME")
  private String since;

  @Option(names = "--until", paramLabel = "TIME")
  private String until;

  @Option(names = "--by", paramLabel = "user|virtualCluster", defaultValue = "user")
  private String groupBy;

  @Option(names = "--days")
  private boolean byDay;

  @Option(names = "--csv")
  private boolean csv;

  public UsageCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (csv) {
      return export();
    }
    Json response = api().read(path());
    if (session().json()) {
      terminal().line(response.pretty());
      return ExitCode.OK;
    }
    List<String> heading = new ArrayList<>();
    if (byDay) {
      heading.add(text("cli.column.day"));
    }
    heading.add(text("cli.column.user"));
    heading.add(text("cli.column.jobs"));
    heading.add(text("cli.column.cpu-hours"));
    heading.add(text("cli.column.device-hours"));
    heading.add(text("cli.column.by-type"));
    Table table = new Table(heading);
    for (Json row : response.list(byDay ? "rows" : "totals")) {
      List<Cell> cells = new ArrayList<>();
      if (byDay) {
        cells.add(Cell.of(row.string("day")));
      }
      cells.add(Cell.of(row.string(groupBy)));
      cells.add(Cell.of(row.string("jobs")));
      cells.add(Cell.of(hours(row.decimal("cpuHours"))));
      cells.add(Cell.of(hours(row.decimal("deviceHours"))));
      cells.add(Cell.of(byType(row.at("devices"))));
      table.addRow(cells.toArray(Cell[]::new));
    }
    terminal().print(table.render(terminal()));
    return ExitCode.OK;
  }

  private static String byType(Json devices) {
    return devices.fields().keySet().stream()
        .map(type -> type + " " + hours(devices.decimal(type)))
        .collect(Collectors.joining(", "));
  }

  private static String hours(double hours) {
    return String.format(Locale.ROOT, "%.2f", hours);
  }

  private String path() {
    long now = System.currentTimeMillis();
    StringBuilder path = new StringBuilder("/api/v3/usage?by=" + ApiClient.encode(groupBy));
    // Days are in the time zone of the caller.
    path.append("&zone=").append(ApiClient.encode(ZoneId.systemDefault().getId()));
    DurationParser.timestamp(since, now)
        .ifPresent(time -> path.append("&since=").append(ApiClient.encode(time)));
    DurationParser.timestamp(until, now)
        .ifPresent(time -> path.append("&until=").append(ApiClient.encode(time)));
    return path.toString();
  }

  private int export() {
    try (ApiClient.Stream stream = api().open(path() + "&format=csv", READ_TIMEOUT_MILLIS)) {
      byte[] buffer = new byte[64 * 1024];
      for (int n = stream.bytes().read(buffer); n >= 0; n = stream.bytes().read(buffer)) {
        terminal().writeUnfiltered(buffer, n);
      }
      return ExitCode.OK;
    } catch (IOException e) {
      throw ConnectionErrors.of(api().base(), e);
    }
  }
}
