package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import dev.trainyard.cli.terminal.DisplayWidth;
import dev.trainyard.cli.terminal.PlainText;
import dev.trainyard.cli.terminal.Style;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * {@code status}: shows the state of the server; warnings come last, where they are most visible.
 */
@picocli.CommandLine.Command(name = "status")
public final class StatusCommand extends Command {
  private static final int LABEL_WIDTH = 10;

  public StatusCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    Json status;
    try {
      status = api().read("/api/v3/status");
    } catch (AppException e) {
      if (e.code() != ErrorCode.UNAVAILABLE) {
        throw e;
      }
      return showHealth(e);
    }
    if (session().json()) {
      terminal().line(status.pretty());
      return ExitCode.OK;
    }
    long uptimeSeconds = Math.max(0, System.currentTimeMillis() - status.number("started")) / 1000;
    printRow(
        "server",
        text(
            "cli.status.version",
            "version",
            status.string("version"),
            "url",
            session().server().address(),
            "span",
            localizer().duration(uptimeSeconds),
            "pid",
            status.string("pid")));
    printRow("data", status.string("data"));
    Json database = status.at("database");
    printRow(
        "database", database.isPresent() ? databaseText(database) : text("cli.status.unknown"));
    printRow("engine", new StatusSummary(session()).engineText(status));
    printRow("jobs", jobsText(status.at("jobs")));
    for (Json disk : status.list("disks")) {
      printRow("disk", diskText(disk));
    }
    StatusSummary summary = new StatusSummary(session());
    if (summary.printWarnings(status) == 0) {
      terminal().line(terminal().styled(Style.GOOD, text("cli.status.good")));
    }
    return ExitCode.OK;
  }

  /**
   * Prints the health of the server if the database is unavailable. Without the database, users
   * cannot sign in, and only a signed-in administrator can read the full status.
   */
  private int showHealth(AppException error) {
    Json health = api().health();
    if (!health.find("failing").isPresent()) {
      throw error;
    }
    if (session().json()) {
      terminal().line(health.pretty());
      return ExitCode.FAILED;
    }
    printRow("server", session().server().address().toString());
    printRow("jobs", text("cli.status.unknown"));
    for (String field : List.of("failing", "degraded")) {
      health
          .find(field)
          .ifPresent(
              names ->
                  terminal()
                      .line(
                          terminal().styled(Style.BAD, text("cli.status.warning"))
                              + PlainText.of(text("cli.status.away", "part", names))));
    }
    return ExitCode.FAILED;
  }

  private String databaseText(Json database) {
    return text(
        "cli.status.schema", "kind", database.string("kind"), "schema", database.string("schema"));
  }

  private void printRow(String label, String text) {
    String name = DisplayWidth.pad(text("cli.status." + label), LABEL_WIDTH);
    terminal().line(terminal().styled(Style.DIM, name) + " " + PlainText.of(text));
  }

  private String jobsText(Json counts) {
    if (!counts.isPresent()) {
      return text("cli.status.unknown");
    }
    String text =
        counts.fields().entrySet().stream()
            .filter(count -> !"0".equals(String.valueOf(count.getValue())))
            .map(
                count -> localizer().enumText("cli.state", count.getKey()) + " " + count.getValue())
            .collect(Collectors.joining(text("cli.isolation.separator")));
    return text.isEmpty() ? text("cli.status.no-jobs") : text;
  }

  private String diskText(Json disk) {
    long megabyte = 1 << 20;
    return text(
        "cli.status.free",
        "path",
        disk.string("path"),
        "free",
        Localizer.megabytes(disk.number("free") / megabyte),
        "total",
        Localizer.megabytes(disk.number("total") / megabyte),
        "level",
        localizer().enumText("cli.disk", disk.string("level").toLowerCase(Locale.ROOT)));
  }
}
