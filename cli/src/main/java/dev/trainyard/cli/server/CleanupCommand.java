package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Localizer;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import picocli.CommandLine.Option;

/** {@code cleanup}: immediately deletes everything that exceeds the retention settings. */
@picocli.CommandLine.Command(name = "cleanup")
public final class CleanupCommand extends Command {
  @Option(names = {"-n", "--dry-run"})
  private boolean dryRun;

  public CleanupCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    String path = "/api/v3/cleanup";
    Json removed = dryRun ? api().read(path) : api().send("POST", path, new byte[0]);
    if (session().json()) {
      terminal().line(removed.pretty());
      return ExitCode.OK;
    }
    terminal()
        .line(
            text(
                dryRun ? "cli.cleanup.would" : "cli.cleanup.done",
                "jobs",
                removed.number("jobs"),
                "logs",
                removed.number("logs"),
                "size",
                Localizer.megabytes(removed.number("bytes") >> 20)));
    return ExitCode.OK;
  }
}
