package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.TaskId;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same where a process of the task waits for the commands, and the task takes its place. */
class HostileDoorTest extends HostileExecTest {
  /** Ends whoever waits for commands, and waits for them itself. */
  private static final String TAKE_THE_DOOR =
      "until [ -n \"$found\" ]; do for p in /proc/[0-9]*; do"
          + " [ \"$(readlink $p/fd/0)\" = /usr/local/pai/exec/request ] || continue;"
          + " found=${p#/proc/}; kill -9 $found;"
          + " while kill -0 $found 2>/dev/null; do sleep 0.02; done; done; done; echo ready;"
          + " while read -r name; do ";

  @BeforeAll
  static void doWithoutPerl() {
    System.setProperty(HostTools.SUPERVISOR, "shell");
  }

  @AfterAll
  static void takeItBack() {
    System.clearProperty(HostTools.SUPERVISOR);
  }

  @Override
  void supervisorsDoor_isNotTheTasksToKnockAt() {
    // Here it is the task's own.
  }

  @Override
  void shellOfTheTask_getsNoTerminalOfTheMachine() {
    // Here the shell was there before the task could change it.
  }

  @Override
  void noShellInTheTask_isSaid() {
    // As above.
  }

  @Test
  void forgedProcess_getsNoTerminalOfTheMachine() {
    for (String number : List.of("1", "2", "3", "0", "99999")) {
      TaskId task =
          started(
              TAKE_THE_DOOR
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
  void nonsenseReports_areRefused() {
    for (String report : List.of("started", "started x", "", "started -1", "hello")) {
      TaskId task =
          started(
              TAKE_THE_DOOR
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
  void endlessReport_isRefused() {
    TaskId task =
        started(
            TAKE_THE_DOOR
                + "tr '\\0' x </dev/zero >/usr/local/pai/exec/$name/code;"
                + " done <>/usr/local/pai/exec/request");
    assertThatThrownBy(() -> exec(task, false, "true")).isInstanceOf(EngineException.class);
  }

  @Test
  void closedDoor_isSaid() {
    TaskId task = started(TAKE_THE_DOOR + "break; done </dev/null; sleep 300");
    assertThatThrownBy(() -> exec(task, false, "true"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("does not take commands");
  }
}
