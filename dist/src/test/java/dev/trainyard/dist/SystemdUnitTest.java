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

  private static SystemdUnit unit(boolean ofUser) {
    return new SystemdUnit(
        List.of("/bin/true"), Path.of("/var/lib/train yard"), List.of("--port=9286"), ofUser);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void text_hasTheSettingsThatKeepTasksRunning(boolean ofUser) {
    assertThat(unit(ofUser).text().lines())
        .contains("[Unit]", "[Service]", "[Install]", "KillMode=process", "Restart=on-failure")
        .contains("ExecStart=/bin/true up --data \"/var/lib/train yard\" --port=9286")
        .contains("WantedBy=" + (ofUser ? "default.target" : "multi-user.target"))
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
  void quoted(String word, String expected) {
    assertThat(SystemdUnit.quoted(word)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void text_systemdAnalyzeReportsNoProblem(boolean ofUser)
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "no systemd-analyze here");
    Path file = Files.writeString(directory.resolve("trainyard.service"), unit(ofUser).text());
    Process analyze =
        new ProcessBuilder("systemd-analyze", "verify", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(analyze.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    analyze.waitFor();
    assertThat(said.lines().filter(line -> line.contains("trainyard.service"))).isEmpty();
  }

  @Test
  void command_isNotEmpty() {
    assertThat(DetachedServer.ourselves()).isNotEmpty();
  }
}
