package dev.trainyard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CliTest {
  @TempDir private Path home;

  private TestShell shell() {
    return new TestShell(home);
  }

  @Test
  void run_version_needsNoServer() {
    TestShell shell = shell().env("TRAINYARD_SERVER", "http://127.0.0.1:1");
    assertThat(shell.run("version")).isZero();
    assertThat(shell.out()).isEqualTo("trainyard 1.2.3\n");
    assertThat(shell.run("version", "--json")).isZero();
    assertThat(shell.out()).contains("\"version\":\"1.2.3\"");
  }

  @Test
  void run_noArguments_printsHelpAndUsageError() {
    TestShell shell = shell();
    assertThat(shell.run()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.out()).contains("Usage: trainyard", "Exit codes:", "submit", "nodes");
  }

  @Test
  void run_helpInChinese_hasNoEnglishHeadings() {
    TestShell shell = shell();
    assertThat(shell.run("--lang", "zh", "--help")).isZero();
    assertThat(shell.out()).contains("用法：", "命令：", "退出码：").doesNotContain("Usage", "Options:");
    assertThat(shell.env("LANG", "zh_CN.UTF-8").run("ls", "--help")).isZero();
    assertThat(shell.out()).contains("列出任务");
  }

  @Test
  void run_unknownCommand_suggestsTheNearest() {
    TestShell shell = shell();
    assertThat(shell.run("sbumit", "x.json")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("Unknown command sbumit. Did you mean submit?");
  }

  @Test
  void run_unknownOption_suggestsTheNearest() {
    TestShell shell = shell();
    assertThat(shell.run("ls", "--sate", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err())
        .contains("Unknown option --sate. Did you mean --state?", "trainyard ls --help");
  }

  @Test
  void run_missingOrUnexpectedArguments_areNamed() {
    TestShell shell = shell();
    assertThat(shell.run("show")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("Missing: JOB");
    assertThat(shell.run("show", "a", "b")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("Unexpected argument \"b\"");
    assertThat(shell.run("ls", "-n", "many")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("\"many\" is not valid for --limit");
  }

  @Test
  void run_noServer_printsHowToStartOne() {
    TestShell shell = shell().env("TRAINYARD_SERVER", "http://127.0.0.1:1");
    assertThat(shell.run("ls")).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(shell.err())
        .contains("No Trainyard server responds at http://127.0.0.1:1")
        .doesNotContain("Exception");
  }

  @Test
  void run_invalidServerUrl_fails() {
    TestShell shell = shell();
    assertThat(shell.run("ls", "--server", "ftp://x")).isEqualTo(ExitCode.FAILED);
    assertThat(shell.err()).contains("is not a valid server URL");
  }

  @Test
  void run_commandNameAsArgument_isArgument() {
    TestShell shell = shell().env("TRAINYARD_SERVER", "http://127.0.0.1:1");
    assertThat(shell.run("why", "ls")).isEqualTo(ExitCode.UNREACHABLE);
  }

  @Test
  void run_helpCommand_equalsHelpOption() {
    TestShell shell = shell();
    assertThat(shell.run("ls", "--help")).isZero();
    String help = shell.out();
    assertThat(shell.run("help", "ls")).isZero();
    assertThat(shell.out()).isEqualTo(help);
    assertThat(shell.run("-h", "ls")).isZero();
    assertThat(shell.out()).isEqualTo(help);
    assertThat(shell.run("help", "sl")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("Unknown command sl. Did you mean ls?");
    assertThat(shell.run("--lang", "en", "help")).isZero();
    assertThat(shell.out()).contains("Commands:");
  }

  @Test
  void run_helpIntoClosedPipe_exitsQuietly() {
    var broken =
        new java.io.OutputStream() {
          @Override
          public void write(int value) throws java.io.IOException {
            throw new java.io.IOException("Broken pipe");
          }
        };
    TestShell shell = shell();
    assertThat(Cli.run(shell.environment(broken), "ls", "-h")).isEqualTo(ExitCode.BROKEN_PIPE);
    assertThat(shell.err()).isEmpty();
  }

  @Test
  void run_emptyName_isUsageError() {
    for (String command : new String[] {"show", "why", "stop", "rm", "logs"}) {
      TestShell shell = shell();
      assertThat(shell.run(command, "")).as(command).isEqualTo(ExitCode.USAGE);
      assertThat(shell.err()).contains("JOB must not be empty", "trainyard " + command);
    }
    TestShell shell = shell();
    assertThat(shell.run("user", "rm", "")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("USER must not be empty", "trainyard user rm --help");
    assertThat(shell.run("stop", "a", " ")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("ls", "--user", "")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void run_jsonNotSupported_isUsageErrorAndHidden() {
    for (String command : new String[] {"run", "logs"}) {
      TestShell shell = shell();
      assertThat(shell.run(command, "x", "--json")).as(command).isEqualTo(ExitCode.USAGE);
      assertThat(shell.err()).contains(command + " prints the output of the job");
      assertThat(shell.run(command, "--help")).isZero();
      assertThat(shell.out()).doesNotContain("--json ").doesNotContain("[--json]");
    }
  }

  @Test
  void down_serverOption_isUsageError() {
    TestShell shell = shell();
    assertThat(shell.run("down", "--server", "http://far:1")).isEqualTo(ExitCode.USAGE);
    assertThat(shell.err()).contains("does not accept --server");
  }
}
