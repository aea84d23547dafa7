package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.diagnosis.Diagnosis;
import dev.trainyard.model.diagnosis.Exit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosisViewTest {
  private static Map<String, Object> view(Exit exit, int exitCode, boolean withoutImage) {
    TaskDiagnosis diagnosis =
        new TaskDiagnosis("w", 0, new Diagnosis(exit, List.of()), withoutImage);
    return DiagnosisView.of(
            new AttemptEnd(
                false, OptionalInt.of(exitCode), Optional.empty(), Optional.of(diagnosis)))
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "COMMAND_NOT_FOUND, 127, 220",
    "COMMAND_NOT_FOUND, 1, 255",
    "COMMAND_FAILED, 1, 255",
    "PYTHON_IMPORT, 1, 232"
  })
  void openpai_isTheRowOfTheExitCode(Exit exit, int exitCode, int code) {
    Map<?, ?> row = (Map<?, ?>) view(exit, exitCode, false).get("openpai");
    assertThat(row.get("code")).isEqualTo(code);
  }

  @Test
  void advice_engineWithoutImages_namesNoImage() {
    Exit exit = Exit.PYTHON_IMPORT;
    assertThat(view(exit, 1, true))
        .containsEntry("advice", JobView.message(exit.adviceWithoutImage()))
        .containsEntry("cause", JobView.message(exit.causeWithoutImage()));
    assertThat(view(exit, 1, false)).containsEntry("advice", JobView.message(exit.advice()));
  }
}
