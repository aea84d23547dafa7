package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndRecordTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, false, SUCCEEDED",
    "0, 0, 1, false, SUCCEEDED",
    "7, 0, 0, false, COMMAND_FAILED",
    "7, 0, 1, false, DISK_FULL",
    "135, 0, 1, false, DISK_FULL",
    "255, 0, 0, false, COMMAND_FAILED",
    "137, 0, 0, false, KILLED_BY_SIGNAL",
    "139, 0, 0, false, KILLED_BY_SIGNAL",
    "137, 1, 0, false, OUT_OF_MEMORY",
    "137, 1, 1, false, OUT_OF_MEMORY",
    "1, 1, 0, false, COMMAND_FAILED",
    "0, 3, 0, false, SUCCEEDED",
    "143, 0, 0, true, STOPPED",
    "0, 0, 0, true, STOPPED",
    "1, 0, 1, true, STOPPED",
    "137, 1, 0, true, STOPPED",
  })
  void toTaskEnd_code(int code, int oom, int full, boolean stopped, ExitReason reason) {
    TaskEnd end = toTaskEnd(line(code, oom, full), true, "", stopped);

    assertThat(end.exitCode()).isEqualTo(code);
    assertThat(end.reason()).isEqualTo(reason);
  }

  @Test
  void toTaskEnd_neverStarted() {
    TaskEnd end = toTaskEnd(line(1, 0, 0), false, "nsenter: no such thing\n", false);

    assertThat(end.reason()).isEqualTo(ExitReason.START_FAILED);
    assertThat(end.exitCode()).isEqualTo(255);
    assertThat(end.detail()).isEqualTo("nsenter: no such thing");
  }

  @Test
  void parse_outputOfText() {
    EndRecord record = EndRecord.ofKilledTask(ExitReason.SUPERVISOR_LOST, "two\nlines=x");

    assertThat(EndRecord.parse(record.text())).contains(record);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "code=0 oom=0", "code=0 oom=0 full=0", "code=0 oom=0 full=1 "})
  void parse_incomplete(String text) {
    assertThat(EndRecord.parse(text)).isEmpty();
  }

  private static String line(int code, int oom, int full) {
    return "code=" + code + " oom=" + oom + " full=" + full + " .";
  }

  private static TaskEnd toTaskEnd(String record, boolean started, String error, boolean stopped) {
    return EndRecord.parse(record).orElseThrow().toTaskEnd(started, error, stopped, Instant.EPOCH);
  }
}
