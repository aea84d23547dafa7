package dev.trainyard.cli;

import dev.trainyard.cli.server.Background;
import dev.trainyard.cli.terminal.Terminal;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/**
 * The environment of the command line: everything outside of it that commands use. Tests provide
 * their own.
 *
 * @param up creates the picocli command that starts a server; it is defined in a module that
 *     depends on this one
 * @param serverCommands further commands of that module, by name
 */
public record CliEnvironment(
    Map<String, String> env,
    Path home,
    Terminal terminal,
    InputStream in,
    Passwords passwords,
    Interrupts interrupts,
    String version,
    Background background,
    Function<Session, ?> up,
    Map<String, Function<Session, ?>> serverCommands) {

  /** Prompts for a secret without echo. */
  @FunctionalInterface
  public interface Passwords {
    /** Returns the password, or null if there is no terminal. */
    char[] ask(String prompt);
  }

  /** Notifies about Ctrl-C. */
  @FunctionalInterface
  public interface Interrupts {
    void onInterrupt(Runnable action);

    /** Calls the action each time the terminal size changes. */
    default void onResize(Runnable action) {}
  }

  /**
   * Returns the home directory according to the environment, which may differ from that of the
   * account.
   */
  public static Path home(Map<String, String> env) {
    String home = env.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home);
  }
}
