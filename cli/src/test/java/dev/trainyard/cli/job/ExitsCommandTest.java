package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.TestShell;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.diagnosis.Exit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitsCommandTest {
  @TempDir private Path home;

  @Test
  void exits_all() throws IOException {
    TestShell shell = new TestShell(home);
    assertThat(shell.run("exits")).isEqualTo(ExitCode.OK);
    assertThat(shell.out().lines()).hasSize(Exit.values().length + 1);
    TestShell jsonShell = new TestShell(home);
    jsonShell.run("exits", "--json");
    List<?> exits = (List<?>) Json.parse(jsonShell.out().getBytes(StandardCharsets.UTF_8)).value();
    assertThat(exits).hasSize(Exit.values().length);
  }

  @Test
  void exits_one() {
    TestShell shell = new TestShell(home);
    assertThat(shell.run("exits", "249")).isEqualTo(ExitCode.OK);
    // One line for the task exit with this code, one for the OpenPAI exit.
    assertThat(shell.out().lines()).hasSize(2);
    assertThat(shell.out()).contains("reachable through SSH");
    TestShell chinese = new TestShell(home);
    chinese.run("--lang", "zh", "exits", "139");
    assertThat(chinese.out().lines()).hasSize(1);
  }
}
