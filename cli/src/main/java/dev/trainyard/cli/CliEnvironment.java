package dev.trainyard.cli;

import dev.trainyard.cli.server.Background;
import dev.trainyard.cli.terminal.Terminal;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/**
 * Everything outside that the commands use, so that tests can hand in another.
 *
 * @param up makes the command that starts a server, as picocli takes it; it lives above this module
 * @param serverCommands further commands that live there, by name
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

  /** Asks for a secret without showing it. */
  @FunctionalInterface
  public interface Passwords {
    /** The password, or null if there is nobody to ask. */
    char[] ask(String prompt);
  }

  /** Tells when somebody presses Ctrl-C. */
  @FunctionalInterface
  public interface Interrupts {
    void onInterrupt(Runnable action);

    /** Tells, every time, when the terminal has got another size. */
    default void onResize(Runnable action) {}
  }

  /** The home directory the shell knows, which may differ from the account's. */
  public static Path home(Map<String, String> env) {
    String home = env.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home);
  }
}
