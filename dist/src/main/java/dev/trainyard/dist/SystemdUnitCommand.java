package dev.trainyard.dist;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import dev.trainyard.server.config.DatabasePassword;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code systemd-unit}: prints a unit with the paths of this program and data directory. */
@picocli.CommandLine.Command(name = "systemd-unit")
final class SystemdUnitCommand extends Command {
  @Option(names = "--user")
  private boolean userService;

  @Parameters(index = "0..*", paramLabel = "OPTION", descriptionKey = "up-options")
  private List<String> options = List.of();

  SystemdUnitCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    if (options.stream().anyMatch(DatabasePassword::isIn)) {
      throw session().usageError("cli.wrong.unit-password");
    }
    List<String> launchCommand = DetachedServer.launchCommand();
    terminal().print(new SystemdUnit(launchCommand, session().data(), options, userService).text());
    String unitFile =
        userService
            ? "~/.config/systemd/user/trainyard.service"
            : "/etc/systemd/system/trainyard.service";
    terminal()
        .note(
            text(
                "cli.systemd.next",
                "file",
                unitFile,
                "command",
                userService
                    ? "systemctl --user enable --now trainyard; loginctl enable-linger"
                    : "systemctl daemon-reload; systemctl enable --now trainyard"));
    return ExitCode.OK;
  }
}
