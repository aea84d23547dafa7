package dev.trainyard.cli;

import dev.trainyard.cli.server.Background;
import dev.trainyard.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Runs commands with an empty home directory and captures their output. */
public final class TestShell {
  private final Map<String, String> env = new HashMap<>(Map.of("LANG", "en_US.UTF-8"));
  private final Deque<String> passwords = new ArrayDeque<>();
  private final Path home;
  private ByteArrayOutputStream out = new ByteArrayOutputStream();
  private ByteArrayOutputStream err = new ByteArrayOutputStream();
  private String in = "";
  private boolean errIsTerminal;
  private Runnable interrupt = () -> {};
  private Background background =
      (data, options, session) -> {
        throw new AssertionError("no server was to be started");
      };

  public TestShell(Path home) {
    this.home = home;
  }

  public TestShell env(String name, String value) {
    env.put(name, value);
    return this;
  }

  public TestShell stdin(String text) {
    in = text;
    return this;
  }

  public TestShell password(String password) {
    passwords.add(password);
    return this;
  }

  /** Standard error is a terminal, on which commands show their progress. */
  public TestShell errTerminal() {
    errIsTerminal = true;
    return this;
  }

  public TestShell background(Background starter) {
    background = starter;
    return this;
  }

  public void pressCtrlC() {
    interrupt.run();
  }

  public int run(String... args) {
    out = new ByteArrayOutputStream();
    err = new ByteArrayOutputStream();
    return Cli.run(environment(), args);
  }

  CliEnvironment environment() {
    return environment(out);
  }

  CliEnvironment environment(OutputStream out) {
    var look =
        new Terminal.Properties(false, errIsTerminal, false, true, 80, StandardCharsets.UTF_8);
    return new CliEnvironment(
        env,
        home,
        new Terminal(look, out, err),
        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
        prompt -> passwords.isEmpty() ? null : passwords.poll().toCharArray(),
        action -> interrupt = action,
        "1.2.3",
        background,
        UpForTest::new,
        Map.of());
  }

  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Replaces the command of the server module that starts the server. */
  @picocli.CommandLine.Command(name = "up")
  private static final class UpForTest extends Command {
    UpForTest(Session session) {
      super(session);
    }

    @Override
    public Integer call() {
      return ExitCode.OK;
    }
  }
}
