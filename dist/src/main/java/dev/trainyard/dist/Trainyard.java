package dev.trainyard.dist;

import dev.trainyard.cli.Cli;
import dev.trainyard.cli.CliEnvironment;
import dev.trainyard.cli.SystemSignals;
import dev.trainyard.cli.terminal.SystemTerminal;
import dev.trainyard.cli.terminal.Terminal;
import java.io.Console;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Combines the command line and the server. */
public final class Trainyard {
  private Trainyard() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 1 && args[0].equals(AotTraining.COMMAND)) {
      AotTraining.run(List.of(args).subList(1, args.length));
      return;
    }
    System.exit(Cli.run(environment(System.getenv()), args));
  }

  static CliEnvironment environment(Map<String, String> env) {
    Terminal terminal = SystemTerminal.open(env);
    return new CliEnvironment(
        env,
        CliEnvironment.home(env),
        terminal,
        System.in,
        Trainyard::readPassword,
        new SystemSignals(),
        version(),
        new DetachedServer(env),
        UpCommand::spec,
        ServerCommands.all());
  }

  private static String version() {
    String version = Trainyard.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  // The launcher selects the java.base console, which starts faster but is null without a terminal.
  @SuppressWarnings("SystemConsoleNull")
  private static char[] readPassword(String prompt) {
    Console console = System.console();
    return console == null || !console.isTerminal() ? null : console.readPassword("%s", prompt);
  }
}
