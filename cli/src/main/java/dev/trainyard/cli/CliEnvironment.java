package dev.trainyard.cli;

import dev.trainyard.cli.server.Background;
import dev.trainyard.cli.terminal.Terminal;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/**
 * Environment of the command line: variables, terminal, input and other external objects that
 * commands use. Tests provide their own.
 *
 * @param upCommand creates the picocli command that starts a server; the module that defines this
 *     command depends on the module of this class
 * @param serverCommands further commands of the module that defines {@code upCommand}, by name
 */
public record CliEnvironment(
    Map<String, String> env,
    Path home,
    Terminal terminal,
    InputStream in,
    PasswordPrompt passwords,
    Signals signals,
    String version,
    Background background,
    Function<Session, ?> upCommand,
    Map<String, Function<Session, ?>> serverCommands) {

  /** Prompts for a secret without echo. */
  @FunctionalInterface
  public interface PasswordPrompt {
    /** Returns the password, or null if there is no terminal. */
    char[] read(String prompt);
  }

  /** Registers handlers for Ctrl-C and for changes of the terminal size. */
  @FunctionalInterface
  public interface Signals {
    void onInterrupt(Runnable action);

    /** Calls the action each time the terminal size changes. */
    default void onResize(Runnable action) {}
  }

  /**
   * Returns the directory in the variable HOME, or the home directory of the account if the
   * variable is empty.
   */
  public static Path home(Map<String, String> env) {
    String home = env.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home);
  }
}
