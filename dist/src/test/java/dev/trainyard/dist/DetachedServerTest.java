package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.Cli;
import dev.trainyard.cli.CliEnvironment;
import dev.trainyard.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedServerTest {
  @TempDir private Path directory;

  /** Runs {@code up --detach} and returns what it printed. */
  private static String start(Path data) {
    Map<String, String> env = Map.of("HOME", data.toString());
    CliEnvironment standard = Trainyard.environment(env);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Terminal.Properties look =
        new Terminal.Properties(false, false, false, false, 80, StandardCharsets.UTF_8);
    CliEnvironment environment =
        new CliEnvironment(
            env,
            data,
            new Terminal(look, printed, printed),
            standard.in(),
            standard.passwords(),
            standard.signals(),
            standard.version(),
            standard.background(),
            standard.upCommand(),
            standard.serverCommands());
    int exitCode = Cli.run(environment, "up", "--detach", "--data", data.toString());
    assertThat(exitCode).isNotZero();
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void start_directoryOfOtherFiles_rejectedWithoutChanges() throws Exception {
    Files.writeString(directory.resolve("thesis.txt"), "of a person");
    assertThat(start(directory)).contains("contains other files (thesis.txt)");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("thesis.txt"));
    }
  }
}
