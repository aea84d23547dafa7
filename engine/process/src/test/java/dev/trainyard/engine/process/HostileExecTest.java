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
  private RealEngine real;

  @BeforeEach
  void open() {
    real = new RealEngine(data);
  }

  @AfterEach
  void close() {
    if (real != null) {
      real.close();
    }
  }

  final TaskId started(String script) {
    TaskId task = real.task(script).start();
    RealEngine.await(() -> RealEngine.read(real.logs(task), "stdout").contains("ready"));
    return task;
  }

  final Execution exec(TaskId task, boolean terminal, String... command) {
    Optional<TerminalSize> size =
        terminal ? Optional.of(new TerminalSize(80, 24)) : Optional.empty();
    return real.engine.exec(task, new ExecRequest(List.of(command), size));
  }

  private static String output(Execution command) throws IOException {
    return new String(command.output().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void programsOfTheTask_runOnlyWithItsPrivileges() throws IOException {
    RealEngine.requireRoot();
    String fake =
        """
        #!/bin/bash
        grep -E '^Cap|^Uid' /proc/self/status >>/tmp/rights
        readlink /proc/self/ns/user /proc/self/ns/mnt >>/tmp/rights
        exec /real/${0##*/} "$@"
        """;
    TaskId task =
        started(
            "mkdir /real; printf %s '"
                + fake.replace("'", "'\\''")
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
    try (Execution seen = exec(task, false, "sort", "-u", "/tmp/rights");
        Execution own = exec(task, false, "sort", "-u", "/tmp/own")) {
      assertThat(output(seen)).contains("CapEff").isEqualTo(output(own));
    }
  }

  @Test
  void endlessBackground_doesNotDelayTheEnd() throws IOException {
    TaskId task = started("echo ready; sleep 300");
    try (Execution command = exec(task, false, "sh", "-c", "yes & sleep 1; exit 3")) {
      assertThat(command.output().readAllBytes()).isNotEmpty();
      assertThat(command.exitCode().join()).isEqualTo(3);
    }
  }

  @Test
  void killedServer_leavesNoCommand() {
    TaskId task = started("echo ready; sleep 300");
    Execution lost = exec(task, false, "sh", "-c", "trap '' PIPE HUP; sleep 300");
    RealEngine next = new RealEngine(data);
    try {
      assertThat(lost.exitCode().join()).isEqualTo(137);
    } finally {
      next.engine.close();
    }
  }

  @Test
  void removedTerminals_doNotMatter() {
    TaskId task = started("mkdir -p /tmp/pts; rm -f /dev/ptmx; echo ready; sleep 300");
    // The task cannot change the mount of its own terminals.
    try (Execution command = exec(task, true, "tty")) {
      assertThat(command.exitCode().join()).isZero();
    }
  }

  @Test
  void manyCommands_leaveNothingBehind() throws IOException {
    TaskId task = started("echo ready; sleep 300");
    runOnce(task);
    long before = descriptors();
    for (int i = 0; i < 20; i++) {
      runOnce(task);
    }
    // The JVM may open and close a few; a leak of 80 commands would leave more.
    assertThat(descriptors()).isLessThan(before + 10);
    Path place = data.resolve("tasks").resolve(task.toString()).resolve("platform/exec");
    try (var left = Files.list(place)) {
      assertThat(left.map(path -> path.getFileName().toString())).containsExactly("request");
    }
  }

  private void runOnce(TaskId task) {
    for (boolean terminal : new boolean[] {false, true}) {
      try (Execution ended = exec(task, terminal, "true");
          Execution killed = exec(task, terminal, "sleep", "300")) {
        assertThat(ended.exitCode().join()).isZero();
        assertThat(killed.exitCode()).isNotDone();
      }
    }
  }

  private static long descriptors() throws IOException {
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  /**
   * Otherwise the task could make its supervisor, which is root on the host, start any number of
   * processes.
   */
  @Test
  void execFifo_taskCannotWriteOrReplace() {
    RealEngine.requireRoot();
    TaskId task =
        started(
            "{ echo 00 >/usr/local/pai/exec/request || rm /usr/local/pai/exec/request"
                + " || mv /usr/local/pai/exec /tmp/; } && echo knocked; echo ready; sleep 300");
    assertThat(RealEngine.read(real.logs(task), "stdout")).isEqualTo("ready\n");
  }

  /**
   * The supervisor starts the task's own shell, which the task may have replaced by any program.
   */
  @Test
  void replacedShell_getsNoTerminalOfTheHost() {
    RealEngine.requireRoot();
    for (int number : new int[] {0, 1, 99_999}) {
      TaskId task =
          started(
              "printf '#!/bin/bash\\ncd /usr/local/pai/exec/$2; echo started "
                  + number
                  + " >code; read tty <in; echo opened >code\\n' >/tmp/sh; chmod 755 /tmp/sh;"
                  + " cp --remove-destination /tmp/sh \"$(command -v sh)\"; echo ready; sleep 300");
      assertThatThrownBy(() -> exec(task, true, "true"))
          .as("%d", number)
          .isInstanceOf(EngineException.class);
    }
  }

  /** No process is left to report the start; the supervisor reports that the command is gone. */
  @Test
  void missingShell_isReported() {
    RealEngine.requireRoot();
    TaskId task = started("rm \"$(command -v sh)\"; echo ready; sleep 300");
    assertThatThrownBy(() -> exec(task, false, "true"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("does not respond");
  }
}
