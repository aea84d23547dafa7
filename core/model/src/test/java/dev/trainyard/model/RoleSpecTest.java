package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoleSpecTest {
  private static RoleSpec role(String command, boolean strict) {
    TaskResources resources =
        new TaskResources(1, DataSize.ofMegabytes(1), DataSize.ofMegabytes(1), 0, "");
    return new RoleSpec(
        "main",
        1,
        resources,
        List.of(),
        command,
        1,
        1,
        "",
        0,
        false,
        RolePrerequisites.NONE,
        true,
        strict);
  }

  /** Returns the output of a script and its exit code. */
  private static String run(String shell, String script) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(shell, "-c", script).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output + process.waitFor();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "false\necho end",
        "false | cat\necho end",
        "echo $NOT_SET_ANYWHERE\necho end",
        "# a comment\nfalse\necho end"
      })
  void script_strict_endsAtTheFirstFailure(String command) throws Exception {
    assertThat(run("bash", role(command, true).script())).doesNotContain("end").doesNotEndWith("0");
    assertThat(run("bash", role(command, false).script())).endsWith("end\n0");
  }

  @Test
  void script_strict_keepsLineNumbers() throws Exception {
    assertThat(run("bash", role("true\nno-such-command", true).script())).contains("line 2:");
  }

  @Test
  void script_strict_canBeDisabledByCommand() throws Exception {
    String command =
        "set +o errexit +o nounset +o pipefail\nfalse | cat\necho $NOT_SET_ANYWHERE end";
    assertThat(run("bash", role(command, true).script())).endsWith("end\n0");
  }

  @Test
  void script_strict_runsInAnyShell() throws Exception {
    assertThat(run("sh", role("echo begin\nfalse\necho end", true).script())).isEqualTo("begin\n1");
  }
}
