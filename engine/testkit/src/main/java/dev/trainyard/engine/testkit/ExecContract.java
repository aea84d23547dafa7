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
public abstract class ExecContract extends OpenEngine {
  private static final TerminalSize SIZE = new TerminalSize(80, 24);
  private static final String IDLE = "echo ready; sleep 300";

  /** Privileges, limits, namespaces and other properties of a process that the kernel exposes. */
  private static final String IDENTITY =
      "grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp)' /proc/self/status;"
          + " for n in /proc/self/ns/*; do readlink $n; done;"
          + " cat /proc/self/cgroup /proc/self/limits /proc/self/uid_map /proc/self/oom_score_adj;"
          + " stat -c '%d %i' / . /proc; cat /proc/self/mountinfo; umask; hostname; pwd";

  @Test
  void exec_separateStreamsAndExitCode() throws Exception {
    TaskId task = started(IDLE);
    try (Execution command = plain(task, "sh", "-c", "echo out; echo err >&2; exit 7")) {
      assertThat(text(command.output().readAllBytes())).isEqualTo("out\n");
      assertThat(text(command.errors().readAllBytes())).isEqualTo("err\n");
      assertThat(code(command)).isEqualTo(7);
    }
    try (Execution killed = plain(task, "sh", "-c", "kill -9 $$")) {
      assertThat(code(killed)).isEqualTo(137);
    }
    try (Execution missing = plain(task, "no-such-program")) {
      assertThat(code(missing)).isEqualTo(127);
      assertThat(text(missing.errors().readAllBytes())).contains("no-such-program");
    }
  }

  @Test
  void exec_readsItsInputToTheEnd() throws Exception {
    TaskId task = started(IDLE);
    try (Execution command = plain(task, "cat")) {
      byte[] much = "0123456789abcdef".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
      Thread.ofVirtual().start(() -> write(command, much));
      assertThat(command.output().readAllBytes()).isEqualTo(much);
      assertThat(code(command)).isZero();
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
    TaskId task = started(IDLE);
    String odd = "it's \"$HOME\" `id` \\ \n\ttwo";
    try (Execution command = plain(task, "printf", "%s|%s|%s", odd, "", "ü=1")) {
      assertThat(text(command.output().readAllBytes())).isEqualTo(odd + "||ü=1");
    }
  }

  @Test
  void exec_sameRightsAndNamespacesAsTheTask() throws Exception {
    TaskId task = started("{ " + IDENTITY + "; } >/tmp/identity; " + IDLE);
    try (Execution command = plain(task, "sh", "-c", IDENTITY);
        Execution tasks = plain(task, "cat", "/tmp/identity")) {
      String own = text(tasks.output().readAllBytes());
      assertThat(own).contains("CapBnd").contains("user:[").contains("/proc");
      assertThat(text(command.output().readAllBytes())).isEqualTo(own);
    }
    try (Execution command = terminal(task, "sh", "-c", IDENTITY);
        Execution tasks = plain(task, "cat", "/tmp/identity")) {
      assertThat(text(command.output().readAllBytes()).replace("\r", ""))
          .isEqualTo(text(tasks.output().readAllBytes()));
    }
  }

  @Test
  void exec_hasExactlyTheTasksEnvironment() throws Exception {
    String variables = "tr '\\0' '\\n' </proc/$$/environ | sort";
    TaskId task = reserve(variables + " >/tmp/variables; " + IDLE);
    engine.start(task, new TaskStart(Map.of("LATE", "late"), Map.of()));
    await(() -> log(task, "stdout").contains("ready"));
    try (Execution command = plain(task, "sh", "-c", variables);
        Execution tasks = plain(task, "cat", "/tmp/variables")) {
      String own = text(tasks.output().readAllBytes());
      assertThat(own).contains("EARLY=early\n").contains("LATE=late\n").doesNotContain("JAVA");
      assertThat(text(command.output().readAllBytes())).isEqualTo(own);
    }
  }

  @Test
  void exec_noDescriptorsOfTheServer() throws Exception {
    TaskId task = started(IDLE);
    try (Execution command = plain(task, "sh", "-c", "ls /proc/$$/fd; ls -l /proc/1/fd 2>&1")) {
      assertThat(text(command.output().readAllBytes())).startsWith("0\n1\n2\n");
    }
  }

  @Test
  void exec_terminal_belongsToTheTask() throws Exception {
    TaskId task = started(IDLE);
    try (Execution command =
        terminal(task, "sh", "-c", "tty; stty size; echo $TERM; ps -o tty= $$")) {
      String[] said = text(command.output().readAllBytes()).split("\r\n", -1);
      assertThat(said[0]).matches("/dev/pts/\\d+");
      assertThat(said[1]).isEqualTo("24 80");
      assertThat(said[2]).isEqualTo("xterm");
      assertThat("/dev/" + said[3].strip()).isEqualTo(said[0]);
      assertThat(code(command)).isZero();
    }
  }

  @Test
  void exec_terminal_isResized() throws Exception {
    TaskId task = started(IDLE);
    String script = "trap 'stty size; exit 3' WINCH; echo waiting; while :; do sleep 0.05; done";
    try (Execution command = terminal(task, "bash", "-c", script)) {
      awaitText(command, "waiting");
      command.resize(new TerminalSize(100, 50));
      assertThat(text(command.output().readAllBytes())).contains("50 100");
      assertThat(code(command)).isEqualTo(3);
    }
  }

  @Test
  void exec_terminal_passesCtrlCAndCtrlD() throws Exception {
    TaskId task = started(IDLE);
    try (Execution command = terminal(task, "sh", "-c", "echo waiting; exec sleep 300")) {
      awaitText(command, "waiting");
      command.input().write(3);
      assertThat(code(command)).isEqualTo(130);
    }
    try (Execution command = terminal(task, "sh", "-c", "echo waiting; exec cat")) {
      awaitText(command, "waiting");
      command.input().close();
      assertThat(code(command)).isZero();
    }
  }

  @Test
  void exec_terminal_shellHasJobControl() throws Exception {
    TaskId task = started(IDLE);
    try (Execution shell = terminal(task, "bash", "--norc", "-i")) {
      shell.input().write("sleep 306\n".getBytes(StandardCharsets.US_ASCII));
      await(() -> isRunning(task, "sleep 306"));
      shell.input().write(3);
      await(() -> !isRunning(task, "sleep 306"));
      shell.input().write("echo code $?; exit 4\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(text(shell.output().readAllBytes())).contains("code 130");
      assertThat(code(shell)).isEqualTo(4);
    }
  }

  @Test
  void exec_background_doesNotDelayTheEnd() throws Exception {
    TaskId task = started(IDLE);
    try (Execution command = plain(task, "sh", "-c", "sleep 301 & echo done")) {
      assertThat(text(command.output().readAllBytes())).isEqualTo("done\n");
      assertThat(code(command)).isZero();
    }
    // The shell may have ended before its child executed sleep, so the second check verifies that
    // it is still running.
    await(() -> isRunning(task, "sleep 301"));
    assertThat(isRunning(task, "sleep 301")).isTrue();
  }

  @Test
  void close_killsAllStartedProcesses() throws Exception {
    TaskId task = started(IDLE);
    String script =
        "trap '' TERM HUP; sleep 302 & setsid sleep 303 & (sleep 304 &) ; echo waiting; wait";
    for (boolean withTerminal : new boolean[] {false, true}) {
      Execution command =
          withTerminal ? terminal(task, "bash", "-c", script) : plain(task, "bash", "-c", script);
      awaitText(command, "waiting");
      await(() -> isRunning(task, "sleep 303"));
      command.close();
      assertThat(code(command)).isEqualTo(137);
      await(() -> !isRunning(task, "sleep 30[234]"));
    }
    assertThat(observation(task).phase()).isEqualTo(Phase.RUNNING);
    assertThat(isRunning(task, "sleep 300")).isTrue();
  }

  @Test
  void exec_endsWithTheTask() throws Exception {
    TaskId task = started("echo ready; until [ -e /tmp/go ]; do sleep 0.05; done");
    try (Execution command = plain(task, "sleep", "300");
        Execution shell = terminal(task, "bash", "--norc", "-i");
        Execution go = plain(task, "touch", "/tmp/go")) {
      // The command ends the task, which may end before the command does.
      assertThat(code(go)).isIn(0, 137);
      assertThat(code(command)).isEqualTo(137);
      assertThat(code(shell)).isEqualTo(137);
      assertThat(command.output().readAllBytes()).isEmpty();
    }
    await(() -> observation(task).phase() == Phase.ENDED);
    assertThatThrownBy(() -> plain(task, "true")).isInstanceOf(EngineException.class);
  }

  @Test
  void stop_isNotDelayedByOpenShell() throws Exception {
    TaskId task = started(IDLE);
    try (Execution shell = terminal(task, "bash", "--norc", "-i")) {
      engine.stop(task, Duration.ofMinutes(5));
      assertThat(code(shell)).isEqualTo(137);
      await(() -> observation(task).phase() == Phase.ENDED);
    }
  }

  @Test
  void exec_ofAdoptedTask() throws Exception {
    TaskId task = started(IDLE);
    Execution lost = plain(task, "sleep", "305");
    engine.close();
    assertThat(code(lost)).isEqualTo(137);
    engine = open(directory.resolve("data"));
    try (Execution command = plain(task, "sh", "-c", "echo $EARLY")) {
      assertThat(text(command.output().readAllBytes())).isEqualTo("early\n");
    }
    assertThat(isRunning(task, "sleep 305")).isFalse();
  }

  @Test
  void exec_taskNotRunning() {
    TaskId reserved = reserve("true");
    assertThatThrownBy(() -> plain(reserved, "true")).isInstanceOf(EngineException.class);
    TaskId unknown = new TaskId(new JobId(ULIDS.next()), 1, "main", 0);
    assertThatThrownBy(() -> plain(unknown, "true")).isInstanceOf(EngineException.class);
  }

  private boolean isRunning(TaskId task, String pattern) {
    try (Execution look = plain(task, "pgrep", "-f", "^" + pattern)) {
      return code(look) == 0;
    }
  }

  private Execution plain(TaskId task, String... command) {
    return engine.exec(task, new ExecRequest(List.of(command), Optional.empty()));
  }

  private Execution terminal(TaskId task, String... command) {
    return engine.exec(task, new ExecRequest(List.of(command), Optional.of(SIZE)));
  }

  private static int code(Execution command) {
    return command.exitCode().orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void awaitText(Execution command, String text) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (seen.indexOf(text) < 0) {
      int next = command.output().read();
      assertThat(next).as("more output after: " + seen).isNotNegative();
      seen.append((char) next);
    }
  }

  private TaskId started(String script) {
    TaskId task = start(script);
    await(() -> log(task, "stdout").contains("ready"));
    return task;
  }
}
