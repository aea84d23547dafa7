package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndRecordTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, false, SUCCEEDED",
    "7, 0, false, COMMAND_FAILED",
    "255, 0, false, COMMAND_FAILED",
    "137, 0, false, KILLED_BY_SIGNAL",
    "139, 0, false, KILLED_BY_SIGNAL",
    "137, 1, false, OUT_OF_MEMORY",
    "1, 1, false, COMMAND_FAILED",
    "0, 3, false, SUCCEEDED",
    "143, 0, true, STOPPED",
    "0, 0, true, STOPPED",
    "137, 1, true, STOPPED",
  })
  void understood_code(int code, int oom, boolean stopped, ExitReason reason) {
    TaskEnd end = understood("oom=" + oom + "\n", "started\n" + code + "\n", "", stopped);

    assertThat(end.exitCode()).isEqualTo(code);
    assertThat(end.reason()).isEqualTo(reason);
  }

  @Test
  void understood_firstProcessKilled() {
    assertThat(understood("oom=0\n", "started\n", "", false).exitCode()).isEqualTo(137);
  }

  @Test
  void understood_codeForgedByTheTask() {
    assertThat(understood("oom=0\n", "started\n0; rm -rf", "", false).exitCode()).isEqualTo(137);
  }

  @Test
  void understood_neverStarted() {
    TaskEnd end = understood("oom=0\n", "", "nsenter: no such thing\n", false);

    assertThat(end.reason()).isEqualTo(ExitReason.START_FAILED);
    assertThat(end.exitCode()).isEqualTo(255);
    assertThat(end.detail()).isEqualTo("nsenter: no such thing");
  }

  @Test
  void parse_whatWasWritten() {
    EndRecord record = EndRecord.byPlatform(ExitReason.SUPERVISOR_LOST, "two\nlines=x");

    assertThat(EndRecord.parse(record.text()))
        .isEqualTo(EndRecord.byPlatform(ExitReason.SUPERVISOR_LOST, "two lines=x"));
  }

  private static TaskEnd understood(String record, String code, String error, boolean stopped) {
    return EndRecord.parse(record).understood(code, error, stopped, Instant.EPOCH);
  }
}
