package dev.trainyard.dist;

import dev.trainyard.cli.Command;
import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.Session;
import picocli.CommandLine.Option;

/** {@code up}: starts the server. */
@picocli.CommandLine.Command(name = "up")
final class UpCommand extends Command {
  @Option(names = "--detach")
  private boolean detach;

  UpCommand(Session session) {
    super(session);
  }

  @Override
  public Integer call() {
    return detach ? ExitCode.OK : ExitCode.FAILED;
  }
}
