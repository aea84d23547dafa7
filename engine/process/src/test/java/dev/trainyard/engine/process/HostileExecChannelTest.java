package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.TaskId;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the tests with a channel that a process of the task reads, which the task can replace. */
class HostileExecChannelTest extends HostileExecTest {
  /** Script that kills the process that waits for commands and reads the commands itself. */
  private static final String REPLACE_LISTENER =
      "until [ -n \"$found\" ]; do for p in /proc/[0-9]*; do"
          + " [ \"$(readlink $p/fd/0)\" = /usr/local/pai/exec/request ] || continue;"
          + " found=${p#/proc/}; kill -9 $found;"
          + " while kill -0 $found 2>/dev/null; do sleep 0.02; done; done; done; echo ready;"
          + " while read -r name; do ";

  @BeforeAll
  static void disablePerl() {
    System.setProperty(HostTools.SUPERVISOR_PROPERTY, "shell");
  }

  @AfterAll
  static void enablePerl() {
    System.clearProperty(HostTools.SUPERVISOR_PROPERTY);
  }

  @Override
  void execFifo_taskCannotWriteOrReplace() {
    // Not applicable: here the FIFO belongs to the task.
  }

  @Override
  void replacedShell_getsNoTerminalOfTheHost() {
    // Not applicable: here the shell was started before the task could replace it.
  }

  @Override
  void missingShell_isReported() {
    // Not applicable: here the shell was started before the task could delete it.
  }

  @Test
  void forgedProcess_getsNoTerminalOfTheHost() {
    for (String number : List.of("1", "2", "3", "0", "99999")) {
      TaskId task =
          startAndAwaitReady(
              REPLACE_LISTENER
                  + "echo started "
                  + number
                  + " >/usr/local/pai/exec/$name/code; sleep 0.5;"
                  + " done <>/usr/local/pai/exec/request");
      assertThatThrownBy(() -> exec(task, true, "true"))
          .as(number)
          .isInstanceOf(EngineException.class);
    }
  }

  @Test
  void malformedReports_areRejected() {
    for (String report : List.of("started", "started x", "", "started -1", "hello")) {
      TaskId task =
          startAndAwaitReady(
              REPLACE_LISTENER
                  + "echo '"
                  + report
                  + "' >/usr/local/pai/exec/$name/code; sleep 0.5;"
                  + " done <>/usr/local/pai/exec/request");
      assertThatThrownBy(() -> exec(task, false, "true"))
          .as(report)
          .isInstanceOf(EngineException.class);
    }
  }

  @Test
  void endlessReport_isRejected() {
    TaskId task =
        startAndAwaitReady(
            REPLACE_LISTENER
                + "tr '\\0' x </dev/zero >/usr/local/pai/exec/$name/code;"
                + " done <>/usr/local/pai/exec/request");
    assertThatThrownBy(() -> exec(task, false, "true")).isInstanceOf(EngineException.class);
  }

  @Test
  void closedChannel_isReported() {
    TaskId task = startAndAwaitReady(REPLACE_LISTENER + "break; done </dev/null; sleep 300");
    assertThatThrownBy(() -> exec(task, false, "true"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("does not accept commands");
  }
}
