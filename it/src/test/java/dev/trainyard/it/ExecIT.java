package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.it.Trainyard.Result;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code trainyard exec} in running tasks with the real sandbox. */
@Timeout(240)
class ExecIT extends NeedsSandbox {
  private static final String IDENTITY =
      "grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp)' /proc/self/status;"
          + " for n in /proc/self/ns/*; do readlink $n; done; cat /proc/self/cgroup;"
          + " stat -c '%d %i' /proc/self/root/ /usr /userhome";

  @TempDir static Path directory;
  private static Trainyard trainyard;

  @BeforeAll
  static void start() throws Exception {
    trainyard = Trainyard.start(directory.resolve("data"), "--capacity", "cpu=8,memoryMB=8192");
    trainyard.submit(
        Trainyard.job("here", "{ " + IDENTITY + "; } >draft; mv draft identity; sleep 1000"));
    trainyard.await("here", "RUNNING");
  }

  @AfterAll
  static void stop() throws Exception {
    if (trainyard != null) {
      trainyard.request("POST", "/api/v3/jobs/here/stop", "");
      trainyard.await("here", "STOPPED");
      trainyard.close();
    }
  }

  private static Result exec(String input, String... arguments) throws Exception {
    return Trainyard.command(
        Map.of("TRAINYARD_DATA", trainyard.data().toString()), input, arguments);
  }

  @Test
  void exec_command_returnsOutputAndExitCode() throws Exception {
    Result result = exec("", "exec", "here", "--", "sh", "-c", "echo out; echo err >&2; exit 7");
    assertThat(result).isEqualTo(new Result(7, "out\n", "err\n"));
    assertThat(exec("", "exec", "here", "--", "sh", "-c", "kill -9 $$").exitCode()).isEqualTo(137);
    assertThat(exec("", "exec", "here", "--", "printf", "%s|%s|", "--lang", "").out())
        .isEqualTo("--lang||");
  }

  @Test
  void exec_largeInput_isForwarded() throws Exception {
    String much = "line of input\n".repeat(100_000);
    Result result = exec(much, "exec", "here", "--", "sh", "-c", "wc -c; exit 3");
    assertThat(result.out().strip()).isEqualTo(String.valueOf(much.length()));
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(exec("echo in a shell; exit 4", "exec", "here"))
        .isEqualTo(new Result(4, "in a shell\n", ""));
  }

  @Test
  void exec_largeOutput_isComplete() throws Exception {
    Result result = exec("", "exec", "here", "--", "sh", "-c", "yes 0123456 | head -c 20000000");
    assertThat(result.out()).hasSize(20_000_000).startsWith("0123456\n").endsWith("0123456\n");
  }

  @Test
  void exec_sameNamespacesAsTheTask() throws Exception {
    String read = "until [ -e identity ]; do sleep 0.1; done; cat identity";
    Result own = exec("", "exec", "here", "--", "sh", "-c", read);
    assertThat(own.out()).contains("CapBnd:").contains("user:[");
    assertThat(exec("", "exec", "here", "--", "sh", "-c", IDENTITY).out()).isEqualTo(own.out());
    assertThat(exec("", "exec", "here", "-t", "--", "sh", "-c", IDENTITY).out().replace("\r", ""))
        .isEqualTo(own.out());
  }

  @Test
  void exec_noRunningTask_rejectedWithReason() throws Exception {
    Result unknownJob = exec("", "exec", "nothing", "--", "true");
    assertThat(unknownJob.exitCode()).isEqualTo(4);
    Result task = exec("", "exec", "here", "--role", "main", "--index", "7", "--", "true");
    assertThat(task.exitCode()).isEqualTo(4);
    trainyard.submit(
        Trainyard.job("large", "true").replace("\"memoryMB\":512", "\"memoryMB\":999999"));
    Result waiting = exec("", "exec", "large");
    assertThat(waiting.exitCode()).isEqualTo(1);
    assertThat(waiting.err()).contains("still waiting");
    assertThat(exec("", "--lang", "zh", "exec", "large").err()).contains("正在排队");
    trainyard.submit(Trainyard.job("over", "true"));
    trainyard.await("over", "SUCCEEDED");
    Result over = exec("", "exec", "over", "--", "true");
    assertThat(over.exitCode()).isEqualTo(1);
    assertThat(over.err()).contains("has already finished");
    assertThat(exec("", "exec", "here", "--json", "--", "true").exitCode()).isEqualTo(2);
  }

  @Test
  void exec_onlyOwnerAndAdministratorsMay() throws Exception {
    String bob = token("bob");
    String alice = token("alice");
    assertThat(runAs(bob, "exec", "admin~here", "--", "true").exitCode()).isEqualTo(4);
    var response =
        trainyard.request("POST", "/api/v3/jobs", Trainyard.job("alices", "sleep 1000"), alice);
    assertThat(response.statusCode()).isEqualTo(201);
    trainyard.await("alice~alices", "RUNNING");
    assertThat(runAs(alice, "exec", "alices", "--", "echo", "mine").out()).isEqualTo("mine\n");
    assertThat(exec("", "exec", "alice~alices", "--", "echo", "hers").out()).isEqualTo("hers\n");
    trainyard.request("POST", "/api/v3/jobs/alice~alices/stop", "");
    trainyard.await("alice~alices", "STOPPED");
  }

  private static String token(String user) throws Exception {
    String password = user + "-password";
    String name = "{\"name\":\"" + user + "\",\"password\":\"" + password + "\"}";
    assertThat(trainyard.request("POST", "/api/v3/users", name).statusCode()).isEqualTo(201);
    String sign = "{\"user\":\"" + user + "\",\"password\":\"" + password + "\"}";
    var session = trainyard.request("POST", "/api/v3/sessions", sign, "");
    JsonNode json = Trainyard.JSON.readTree(session.body());
    return json.get("token").asText();
  }

  private static Result runAs(String token, String... arguments) throws Exception {
    return Trainyard.command(
        Map.of("TRAINYARD_SERVER", trainyard.url(), "TRAINYARD_TOKEN", token), "", arguments);
  }

  @Test
  void exec_terminal_forwardsInputAndRestoresTheMode() throws Exception {
    try (TerminalSession on =
        new TerminalSession(
            "stty cols 91 rows 33; "
                + cli("exec", "here", "--", "sh", "-c", "tty; stty size; cat")
                + "; echo code $?; stty -a")) {
      on.await("/dev/pts/");
      on.await("33 91");
      on.type("hello\n");
      on.await("hello\r\nhello\r\n");
      on.type("\u0004");
      on.await("code 0");
      // The terminal mode is restored.
      on.await(" icanon");
    }
  }

  @Test
  void exec_terminalCtrlC_interruptsTheCommand() throws Exception {
    String script = "echo waiting; exec sleep 1000";
    try (TerminalSession on =
        new TerminalSession(cli("exec", "here", "--", "sh", "-c", script) + "; echo code $?")) {
      on.await("waiting");
      on.type("\u0003");
      on.await("code 130");
    }
  }

  @Test
  void exec_terminalResized_commandGetsTheNewSize() throws Exception {
    Path flag = directory.resolve("resize");
    String script = "trap 'stty size; exit 3' WINCH; echo waiting; while :; do sleep 0.1; done";
    String resize = "(until [ -e " + flag + " ]; do sleep 0.1; done; stty cols 101 rows 41) & ";
    try (TerminalSession on =
        new TerminalSession(
            "exec </dev/tty; "
                + resize.replace(") &", " </dev/tty) &")
                + cli("exec", "here", "--", "bash", "-c", script)
                + "; echo code $?")) {
      on.await("waiting");
      Files.createFile(flag);
      on.await("41 101");
      on.await("code 3");
    }
  }

  @Test
  void exec_clientKilled_killsTheCommand() throws Exception {
    List<String> command = Trainyard.commandLine("exec", "here", "--", "sleep", "4321");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("TRAINYARD_DATA", trainyard.data().toString());
    Process client = builder.start();
    awaitSleeping("4321", true);
    client.destroyForcibly();
    awaitSleeping("4321", false);
  }

  private static void awaitSleeping(String seconds, boolean wanted) throws Exception {
    for (int tries = 0; tries < 100; tries++) {
      boolean there =
          exec("", "exec", "here", "--", "pgrep", "-f", "^sleep " + seconds).exitCode() == 0;
      if (there == wanted) {
        return;
      }
    }
    throw new AssertionError("sleep " + seconds + ": wanted " + wanted);
  }

  @Test
  void exec_serverStopsJobs_commandIsKilled() throws Exception {
    try (Trainyard other = Trainyard.start(directory.resolve("other"))) {
      other.submit(Trainyard.job("short", "sleep 1000"));
      other.await("short", "RUNNING");
      ProcessBuilder builder =
          new ProcessBuilder(
              Trainyard.commandLine("exec", "short", "--", "sh", "-c", "echo on; cat"));
      builder.environment().put("TRAINYARD_DATA", other.data().toString());
      builder.environment().put("LC_ALL", "C.UTF-8");
      Process client = builder.start();
      assertThat(client.inputReader().readLine()).isEqualTo("on");
      Process down =
          new ProcessBuilder(
                  Trainyard.commandLine("down", "--stop-jobs", "--data", other.data().toString()))
              .start();
      assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(client.exitValue()).isEqualTo(137);
      assertThat(down.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static String cli(String... arguments) {
    return Trainyard.commandLine(arguments).stream()
        .map(word -> "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  /** A shell command on a pseudo-terminal that the program {@code script} creates. */
  private static final class TerminalSession implements AutoCloseable {
    private final Process process;
    private final StringBuilder seen = new StringBuilder();

    TerminalSession(String command) throws Exception {
      ProcessBuilder builder =
          new ProcessBuilder("script", "-qec", command, "/dev/null").redirectErrorStream(true);
      builder.environment().put("TRAINYARD_DATA", trainyard.data().toString());
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.environment().put("SHELL", "/bin/bash");
      process = builder.start();
    }

    void type(String keys) throws Exception {
      process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    }

    void await(String text) throws Exception {
      InputStream out = process.getInputStream();
      while (seen.indexOf(text) < 0) {
        int next = out.read();
        assertThat(next).as("nothing more after: " + seen).isNotNegative();
        seen.append((char) next);
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
