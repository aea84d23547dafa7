package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SystemdUnitTest {
  @TempDir private Path directory;

  private static SystemdUnit unit(boolean userService) {
    return new SystemdUnit(
        List.of("/bin/true"), Path.of("/var/lib/train yard"), List.of("--port=9286"), userService);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void text_hasTheSettingsThatKeepTasksRunning(boolean userService) {
    assertThat(unit(userService).text().lines())
        .contains("[Unit]", "[Service]", "[Install]", "KillMode=process", "Restart=on-failure")
        .contains("ExecStart=/bin/true up --data \"/var/lib/train yard\" --port=9286")
        .contains("WantedBy=" + (userService ? "default.target" : "multi-user.target"))
        .allMatch(line -> line.isEmpty() || line.matches("\\[\\w+]|#.*|[A-Za-z]+=.+"));
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "/a/b-c_d.e, /a/b-c_d.e",
    "100%, 100%%",
    "$HOME, $$HOME",
    "'a b', '\"a b\"'",
    "'a\"b', '\"a\\\"b\"'",
    "'a\\b', '\"a\\\\b\"'"
  })
  void quote(String word, String expected) {
    assertThat(SystemdUnit.quote(word)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void text_systemdAnalyzeReportsNoProblem(boolean userService)
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "no systemd-analyze here");
    Path file = Files.writeString(directory.resolve("trainyard.service"), unit(userService).text());
    Process analyze =
        new ProcessBuilder("systemd-analyze", "verify", file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(analyze.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    analyze.waitFor();
    assertThat(output.lines().filter(line -> line.contains("trainyard.service"))).isEmpty();
  }

  @Test
  void command_isNotEmpty() {
    assertThat(DetachedServer.launchCommand()).isNotEmpty();
  }
}
