package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerExitTest {
  /**
   * The kernel kills the largest process, which is not necessarily the process whose end is the end
   * of the task.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, SUCCEEDED, false",
    "0, 0, 1, SUCCEEDED, true",
    "5, 0, 1, COMMAND_FAILED, true",
    "139, 11, 2, KILLED_BY_SIGNAL, true",
    "137, 9, 1, OUT_OF_MEMORY, false"
  })
  void taskEnd_processKilledForMemory_isReported(
      int code, int signal, int killCount, ExitReason reason, boolean reported) {
    String line =
        "code=%d signal=%d oom=%d full=0 outside=0 .\n".formatted(code, signal, killCount);
    TaskEnd end =
        ContainerExit.taskEnd(EndRecord.parse(line).orElseThrow(), false, Instant.ofEpochMilli(7));
    assertThat(end.exitCode()).isEqualTo(code);
    assertThat(end.reason()).isEqualTo(reason);
    assertThat(end.detail().contains("exceeded its memory limit")).isEqualTo(reported);
  }
}
