package dev.trainyard.cli.server;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.Json;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code secrets …}: manages the encryption keys of job secrets. */
@picocli.CommandLine.Command(name = "secrets")
public final class SecretsCommand extends Command {
  @Spec private CommandSpec spec;

  public SecretsCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    terminal().print(spec.commandLine().getUsageMessage());
    return ExitCode.USAGE;
  }

  @picocli.CommandLine.Command(name = "rotate")
  int rotate() {
    Json report = api().send("POST", "/api/v3/secrets/rotate", new byte[0]);
    if (session().json()) {
      terminal().line(report.pretty());
      return ExitCode.OK;
    }
    terminal()
        .line(
            text(
                "cli.secrets.rotated",
                "key",
                report.string("key"),
                "resealed",
                report.number("resealed"),
                "dropped",
                report.number("droppedKeys")));
    if (report.number("unreadable") > 0) {
      terminal().note(text("cli.secrets.unreadable", "n", report.number("unreadable")));
    }
    return ExitCode.OK;
  }
}
