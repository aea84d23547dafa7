package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verifies that a task gains no privileges when a user runs a command in it. */
@Timeout(120)
class HostileExecTest {
  @TempDir Path data;
  private RealEngine realEngine;

  @BeforeEach
  void open() {
    realEngine = new RealEngine(data);
  }

  @AfterEach
  void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  final TaskId startAndAwaitReady(String script) {
    TaskId task = realEngine.task(script).start();
    RealEngine.await(() -> RealEngine.read(realEngine.logs(task), "stdout").contains("ready"));
    return task;
  }

  final Execution exec(TaskId task, boolean terminal, String... command) {
    Optional<TerminalSize> size =
        terminal ? Optional.of(new TerminalSize(80, 24)) : Optional.empty();
    return realEngine.engine.exec(task, new ExecRequest(List.of(command), size));
  }

  private static String readOutput(Execution command) throws IOException {
    return new String(command.output().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void programsOfTheTask_runOnlyWithItsPrivileges() throws IOException {
    RealEngine.requireRoot();
    String fakeTool =
        """
        #!/bin/bash
        grep -E '^Cap|^Uid' /proc/self/status >>/tmp/rights
        readlink /proc/self/ns/user /proc/self/ns/mnt >>/tmp/rights
        exec /real/${0##*/} "$@"
        """;
    TaskId task =
        startAndAwaitReady(
            "mkdir /real; printf %s '"
                + fakeTool.replace("'", "'\\''")
                + "' >/real/fake; chmod 755 /real/fake;"
                + " for tool in setpriv nsenter setsid env unshare; do"
                + " cp /usr/bin/$tool /real/; cp --remove-destination /real/fake /usr/bin/$tool;"
                + " done; { grep -E '^Cap|^Uid' /proc/self/status;"
                + " readlink /proc/self/ns/user /proc/self/ns/mnt; } >/tmp/own;"
                + " echo ready; sleep 300");
    for (boolean terminal : new boolean[] {false, true}) {
      try (Execution command = exec(task, terminal, "true")) {
        assertThat(command.exitCode().join()).isZero();
      }
    }
    try (Execution recordedPrivileges = exec(task, false, "sort", "-u", "/tmp/rights");
        Execution ownPrivileges = exec(task, false, "sort", "-u", "/tmp/own")) {
      assertThat(readOutput(recordedPrivileges))
          .contains("CapEff")
          .isEqualTo(readOutput(ownPrivileges));
    }
  }

  @Test
  void endlessBackground_doesNotDelayTheEnd() throws IOException {
    TaskId task = startAndAwaitReady("echo ready; sleep 300");
    try (Execution command = exec(task, false, "sh", "-c", "yes & sleep 1; exit 3")) {
      assertThat(command.output().readAllBytes()).isNotEmpty();
      assertThat(command.exitCode().join()).isEqualTo(3);
    }
  }

  @Test
  void killedServer_leavesNoCommand() {
    TaskId task = startAndAwaitReady("echo ready; sleep 300");
    Execution execution = exec(task, false, "sh", "-c", "trap '' PIPE HUP; sleep 300");
    RealEngine nextEngine = new RealEngine(data);
    try {
      assertThat(execution.exitCode().join()).isEqualTo(137);
    } finally {
      nextEngine.engine.close();
    }
  }

  @Test
  void removedTerminals_execWorks() {
    TaskId task = startAndAwaitReady("mkdir -p /tmp/pts; rm -f /dev/ptmx; echo ready; sleep 300");
    // The task cannot change the mount of its own terminals.
    try (Execution command = exec(task, true, "tty")) {
      assertThat(command.exitCode().join()).isZero();
    }
  }

  @Test
  void manyCommands_leaveNothingBehind() throws IOException {
    TaskId task = startAndAwaitReady("echo ready; sleep 300");
    runOnce(task);
    long initialCount = countDescriptors();
    for (int i = 0; i < 20; i++) {
      runOnce(task);
    }
    // The JVM may open and close a few; a leak of 80 commands would leave more.
    assertThat(countDescriptors()).isLessThan(initialCount + 10);
    Path execDirectory = data.resolve("tasks").resolve(task.toString()).resolve("platform/exec");
    try (var entries = Files.list(execDirectory)) {
      assertThat(entries.map(path -> path.getFileName().toString())).containsExactly("request");
    }
  }

  private void runOnce(TaskId task) {
    for (boolean terminal : new boolean[] {false, true}) {
      try (Execution finishedCommand = exec(task, terminal, "true");
          Execution runningCommand = exec(task, terminal, "sleep", "300")) {
        assertThat(finishedCommand.exitCode().join()).isZero();
        assertThat(runningCommand.exitCode()).isNotDone();
      }
    }
  }

  private static long countDescriptors() throws IOException {
    try (var entries = Files.list(Path.of("/proc/self/fd"))) {
      return entries.count();
    }
  }

  /**
   * A task that could write to the FIFO could start any number of processes through its supervisor,
   * which is root on the host.
   */
  @Test
  void execFifo_taskCannotWriteOrReplace() {
    RealEngine.requireRoot();
    TaskId task =
        startAndAwaitReady(
            "{ echo 00 >/usr/local/pai/exec/request || rm /usr/local/pai/exec/request"
                + " || mv /usr/local/pai/exec /tmp/; } && echo knocked; echo ready; sleep 300");
    assertThat(RealEngine.read(realEngine.logs(task), "stdout")).isEqualTo("ready\n");
  }

  /**
   * The supervisor starts the task's own shell, which the task may have replaced by any program.
   */
  @Test
  void replacedShell_getsNoTerminalOfTheHost() {
    RealEngine.requireRoot();
    for (int number : new int[] {0, 1, 99_999}) {
      TaskId task =
          startAndAwaitReady(
              "printf '#!/bin/bash\\ncd /usr/local/pai/exec/$2; echo started "
                  + number
                  + " >code; read tty <in; echo opened >code\\n' >/tmp/sh; chmod 755 /tmp/sh;"
                  + " cp --remove-destination /tmp/sh \"$(command -v sh)\"; echo ready; sleep 300");
      assertThatThrownBy(() -> exec(task, true, "true"))
          .as("%d", number)
          .isInstanceOf(EngineException.class);
    }
  }

  /**
   * Without a shell, no process reports the start; the supervisor reports that the command ended.
   */
  @Test
  void missingShell_isReported() {
    RealEngine.requireRoot();
    TaskId task = startAndAwaitReady("rm \"$(command -v sh)\"; echo ready; sleep 300");
    assertThatThrownBy(() -> exec(task, false, "true"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("does not respond");
  }
}
