package dev.trainyard.dist;

import dev.trainyard.cli.Cli;
import dev.trainyard.cli.SystemInterrupts;
import dev.trainyard.cli.World;
import dev.trainyard.cli.terminal.SystemTerminal;
import dev.trainyard.cli.terminal.Terminal;
import java.io.Console;
import java.util.Map;

/** Puts command line and server together. */
public final class Trainyard {
  private Trainyard() {}

  public static void main(String[] args) {
    System.exit(Cli.run(world(System.getenv()), args));
  }

  static World world(Map<String, String> env) {
    Terminal terminal = SystemTerminal.open(env);
    return new World(
        env,
        World.home(env),
        terminal,
        System.in,
        Trainyard::password,
        new SystemInterrupts(),
        version(),
        new DetachedServer(env),
        UpCommand::new);
  }

  private static String version() {
    String version = Trainyard.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  private static char[] password(String prompt) {
    Console console = System.console();
    return console == null || !console.isTerminal() ? null : console.readPassword("%s", prompt);
  }
}
