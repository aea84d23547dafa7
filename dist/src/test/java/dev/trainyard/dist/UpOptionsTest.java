package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.Cli;
import dev.trainyard.cli.CliEnvironment;
import dev.trainyard.cli.terminal.Terminal;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.SettingsReader;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of {@code up} as a background server receives them. */
class UpOptionsTest {
  @TempDir private Path directory;

  /** Returns the options that the background process would get; no server is started. */
  private List<String> detachedOptions(String... options) {
    Map<String, String> env = Map.of("HOME", directory.toString());
    CliEnvironment standard = Trainyard.environment(env);
    Terminal.Properties look =
        new Terminal.Properties(false, false, false, false, 80, StandardCharsets.UTF_8);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    List<String> received = new ArrayList<>();
    CliEnvironment environment =
        new CliEnvironment(
            env,
            directory,
            new Terminal(look, printed, printed),
            standard.in(),
            standard.passwords(),
            standard.signals(),
            standard.version(),
            (data, serverOptions, session) -> {
              received.addAll(serverOptions);
              throw new AppException(ErrorCode.INTERNAL, Message.of("cli.unreadable"));
            },
            standard.upCommand(),
            standard.serverCommands());
    List<String> arguments = new ArrayList<>(List.of("up", "--detach", "--data"));
    arguments.add(directory.resolve("data").toString());
    arguments.addAll(List.of(options));
    assertThat(Cli.run(environment, arguments.toArray(String[]::new))).isNotZero();
    return received;
  }

  @Test
  void publicUrl_repeated_keepsAllInOrder() {
    List<String> options =
        detachedOptions("--public-url", "https://a.example", "--public-url=http://b.example:9286");
    assertThat(options).containsExactly("--public-url=https://a.example,http://b.example:9286");
    String value = options.getFirst().substring("--public-url=".length());
    Map<String, String> values = Map.of("public-url", value, "data", directory.toString());
    assertThat(SettingsReader.read(values, Map.of()).value(Settings.PUBLIC_URL))
        .containsExactly(URI.create("https://a.example"), URI.create("http://b.example:9286"));
  }

  @Test
  void publicUrl_once_unchanged() {
    assertThat(detachedOptions("--public-url", "https://a.example"))
        .containsExactly("--public-url=https://a.example");
  }
}
