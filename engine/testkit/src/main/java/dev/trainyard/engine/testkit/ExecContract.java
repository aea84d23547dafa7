package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TaskObservation.Phase;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that every engine with support for commands in tasks must pass. */
@Timeout(120)
public abstract class ExecContract extends EngineFixture {
  private static final TerminalSize TERMINAL_SIZE = new TerminalSize(80, 24);
  private static final String IDLE_SCRIPT = "echo ready; sleep 300";

  /** Privileges, limits, namespaces and other properties of a process that the kernel exposes. */
  private static final String PROPERTIES_SCRIPT =
      "grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp)' /proc/self/status;"
          + " for n in /proc/self/ns/*; do readlink $n; done;"
          + " cat /proc/self/cgroup /proc/self/limits /proc/self/uid_map /proc/self/oom_score_adj;"
          + " stat -c '%d %i' / . /proc; cat /proc/self/mountinfo; umask; hostname; pwd";

  @Test
  void exec_separateStreamsAndExitCode() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution command = exec(task, "sh", "-c", "echo out; echo err >&2; exit 7")) {
      assertThat(decode(command.output().readAllBytes())).isEqualTo("out\n");
      assertThat(decode(command.errors().readAllBytes())).isEqualTo("err\n");
      assertThat(exitCode(command)).isEqualTo(7);
    }
    try (Execution killed = exec(task, "sh", "-c", "kill -9 $$")) {
      assertThat(exitCode(killed)).isEqualTo(137);
    }
    try (Execution missing = exec(task, "no-such-program")) {
      assertThat(exitCode(missing)).isEqualTo(127);
      assertThat(decode(missing.errors().readAllBytes())).contains("no-such-program");
    }
  }

  @Test
  void exec_readsItsInputToTheEnd() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution command = exec(task, "cat")) {
      byte[] largeInput = "0123456789abcdef".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
      Thread.ofVirtual().start(() -> write(command, largeInput));
      assertThat(command.output().readAllBytes()).isEqualTo(largeInput);
      assertThat(exitCode(command)).isZero();
    }
  }

  private static void write(Execution command, byte[] bytes) {
    try (var input = command.input()) {
      input.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void exec_argumentsUnchanged() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    String specialCharacters = "it's \"$HOME\" `id` \\ \n\ttwo";
    try (Execution command = exec(task, "printf", "%s|%s|%s", specialCharacters, "", "ü=1")) {
      assertThat(decode(command.output().readAllBytes())).isEqualTo(specialCharacters + "||ü=1");
    }
  }

  @Test
  void exec_sameRightsAndNamespacesAsTheTask() throws Exception {
    TaskId task = startReady("{ " + PROPERTIES_SCRIPT + "; } >/tmp/identity; " + IDLE_SCRIPT);
    try (Execution command = exec(task, "sh", "-c", PROPERTIES_SCRIPT);
        Execution fileOutput = exec(task, "cat", "/tmp/identity")) {
      String expected = decode(fileOutput.output().readAllBytes());
      assertThat(expected).contains("CapBnd").contains("user:[").contains("/proc");
      assertThat(decode(command.output().readAllBytes())).isEqualTo(expected);
    }
    try (Execution command = execInTerminal(task, "sh", "-c", PROPERTIES_SCRIPT);
        Execution fileOutput = exec(task, "cat", "/tmp/identity")) {
      assertThat(decode(command.output().readAllBytes()).replace("\r", ""))
          .isEqualTo(decode(fileOutput.output().readAllBytes()));
    }
  }

  @Test
  void exec_sameEnvironmentAsTheTask() throws Exception {
    String variables = "tr '\\0' '\\n' </proc/$$/environ | sort";
    TaskId task = reserve(variables + " >/tmp/variables; " + IDLE_SCRIPT);
    engine.start(task, new TaskStart(Map.of("LATE", "late"), Map.of()));
    await(() -> log(task, "stdout").contains("ready"));
    try (Execution command = exec(task, "sh", "-c", variables);
        Execution fileOutput = exec(task, "cat", "/tmp/variables")) {
      String expected = decode(fileOutput.output().readAllBytes());
      assertThat(expected).contains("EARLY=early\n").contains("LATE=late\n").doesNotContain("JAVA");
      assertThat(decode(command.output().readAllBytes())).isEqualTo(expected);
    }
  }

  @Test
  void exec_noDescriptorsOfTheServer() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution command = exec(task, "sh", "-c", "ls /proc/$$/fd; ls -l /proc/1/fd 2>&1")) {
      assertThat(decode(command.output().readAllBytes())).startsWith("0\n1\n2\n");
    }
  }

  @Test
  void exec_terminal_belongsToTheTask() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution command =
        execInTerminal(task, "sh", "-c", "tty; stty size; echo $TERM; ps -o tty= $$")) {
      String[] lines = decode(command.output().readAllBytes()).split("\r\n", -1);
      assertThat(lines[0]).matches("/dev/pts/\\d+");
      assertThat(lines[1]).isEqualTo("24 80");
      assertThat(lines[2]).isEqualTo("xterm");
      assertThat("/dev/" + lines[3].strip()).isEqualTo(lines[0]);
      assertThat(exitCode(command)).isZero();
    }
  }

  @Test
  void exec_terminal_isResized() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    String script = "trap 'stty size; exit 3' WINCH; echo waiting; while :; do sleep 0.05; done";
    try (Execution command = execInTerminal(task, "bash", "-c", script)) {
      awaitText(command, "waiting");
      command.resize(new TerminalSize(100, 50));
      assertThat(decode(command.output().readAllBytes())).contains("50 100");
      assertThat(exitCode(command)).isEqualTo(3);
    }
  }

  @Test
  void exec_terminal_passesCtrlCAndCtrlD() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution command = execInTerminal(task, "sh", "-c", "echo waiting; exec sleep 300")) {
      awaitText(command, "waiting");
      command.input().write(3);
      assertThat(exitCode(command)).isEqualTo(130);
    }
    try (Execution command = execInTerminal(task, "sh", "-c", "echo waiting; exec cat")) {
      awaitText(command, "waiting");
      command.input().close();
      assertThat(exitCode(command)).isZero();
    }
  }

  @Test
  void exec_terminal_shellHasJobControl() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution shell = execInTerminal(task, "bash", "--norc", "-i")) {
      shell.input().write("sleep 306\n".getBytes(StandardCharsets.US_ASCII));
      await(() -> isRunning(task, "sleep 306"));
      shell.input().write(3);
      await(() -> !isRunning(task, "sleep 306"));
      shell.input().write("echo code $?; exit 4\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(decode(shell.output().readAllBytes())).contains("code 130");
      assertThat(exitCode(shell)).isEqualTo(4);
    }
  }

  @Test
  void exec_background_doesNotDelayTheEnd() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution command = exec(task, "sh", "-c", "sleep 301 & echo done")) {
      assertThat(decode(command.output().readAllBytes())).isEqualTo("done\n");
      assertThat(exitCode(command)).isZero();
    }
    // The shell may end before its child process executes sleep. The second check verifies that
    // sleep keeps running.
    await(() -> isRunning(task, "sleep 301"));
    assertThat(isRunning(task, "sleep 301")).isTrue();
  }

  @Test
  void close_killsAllStartedProcesses() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    String script =
        "trap '' TERM HUP; sleep 302 & setsid sleep 303 & (sleep 304 &) ; echo waiting; wait";
    for (boolean withTerminal : new boolean[] {false, true}) {
      Execution command =
          withTerminal
              ? execInTerminal(task, "bash", "-c", script)
              : exec(task, "bash", "-c", script);
      awaitText(command, "waiting");
      await(() -> isRunning(task, "sleep 303"));
      command.close();
      assertThat(exitCode(command)).isEqualTo(137);
      await(() -> !isRunning(task, "sleep 30[234]"));
    }
    assertThat(observation(task).phase()).isEqualTo(Phase.RUNNING);
    assertThat(isRunning(task, "sleep 300")).isTrue();
  }

  @Test
  void exec_endsWithTheTask() throws Exception {
    TaskId task = startReady("echo ready; until [ -e /tmp/go ]; do sleep 0.05; done");
    try (Execution command = exec(task, "sleep", "300");
        Execution shell = execInTerminal(task, "bash", "--norc", "-i")) {
      // An engine may return before the command has started.
      await(() -> isRunning(task, "sleep 300"));
      try (Execution go = exec(task, "touch", "/tmp/go")) {
        // The command ends the task, which may end before the command does.
        assertThat(exitCode(go)).isIn(0, 137);
      }
      assertThat(exitCode(command)).isEqualTo(137);
      assertThat(exitCode(shell)).isEqualTo(137);
      assertThat(command.output().readAllBytes()).isEmpty();
    }
    await(() -> observation(task).phase() == Phase.ENDED);
    assertThatThrownBy(() -> exec(task, "true")).isInstanceOf(EngineException.class);
  }

  @Test
  void stop_isNotDelayedByOpenShell() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    try (Execution shell = execInTerminal(task, "bash", "--norc", "-i")) {
      engine.stop(task, Duration.ofMinutes(5));
      assertThat(exitCode(shell)).isEqualTo(137);
      await(() -> observation(task).phase() == Phase.ENDED);
    }
  }

  @Test
  void exec_ofAdoptedTask() throws Exception {
    TaskId task = startReady(IDLE_SCRIPT);
    Execution oldCommand = exec(task, "sleep", "305");
    engine.close();
    assertThat(exitCode(oldCommand)).isEqualTo(137);
    engine = open(directory.resolve("data"));
    try (Execution command = exec(task, "sh", "-c", "echo $EARLY")) {
      assertThat(decode(command.output().readAllBytes())).isEqualTo("early\n");
    }
    assertThat(isRunning(task, "sleep 305")).isFalse();
  }

  @Test
  void exec_taskNotRunning() {
    TaskId reservedTask = reserve("true");
    assertThatThrownBy(() -> exec(reservedTask, "true")).isInstanceOf(EngineException.class);
    TaskId unknownTask = new TaskId(new JobId(ULIDS.next()), 1, "main", 0);
    assertThatThrownBy(() -> exec(unknownTask, "true")).isInstanceOf(EngineException.class);
  }

  private boolean isRunning(TaskId task, String pattern) {
    try (Execution pgrep = exec(task, "pgrep", "-f", "^" + pattern)) {
      return exitCode(pgrep) == 0;
    }
  }

  private Execution exec(TaskId task, String... command) {
    return engine.exec(task, new ExecRequest(List.of(command), Optional.empty()));
  }

  private Execution execInTerminal(TaskId task, String... command) {
    return engine.exec(task, new ExecRequest(List.of(command), Optional.of(TERMINAL_SIZE)));
  }

  private static int exitCode(Execution command) {
    return command.exitCode().orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private static String decode(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void awaitText(Execution command, String text) throws IOException {
    StringBuilder received = new StringBuilder();
    while (received.indexOf(text) < 0) {
      int character = command.output().read();
      assertThat(character).as("more output after: " + received).isNotNegative();
      received.append((char) character);
    }
  }

  private TaskId startReady(String script) {
    TaskId task = start(script);
    await(() -> log(task, "stdout").contains("ready"));
    return task;
  }
}
