package dev.trainyard.server.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.ExitTable;
import dev.trainyard.model.diagnosis.OpenPaiExits;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExitSpecsTest {
  @Test
  void ordinaryFailure_is255() {
    assertThat(ExitSpecs.of(Exit.COMMAND_FAILED, 1, false))
        .containsEntry("code", 255)
        .containsEntry("phrase", "PAIRuntimeUnknownFailed")
        .containsEntry("behavior", "UNKNOWN")
        .containsEntry("reaction", "RETRY_TO_MAX");
  }

  @Test
  void commandNotFoundAlone_is220() {
    assertThat(Arrays.stream(Exit.values()).filter(exit -> exit.openPaiCode() == 220))
        .containsExactly(Exit.COMMAND_NOT_FOUND);
    assertThat(ExitTable.codes(Exit.COMMAND_NOT_FOUND))
        .singleElement()
        .matches(range -> range.from() == 127 && range.to() == 127);
    assertThat(OpenPaiExits.find(220).orElseThrow().exit()).isEqualTo(Exit.COMMAND_NOT_FOUND);
  }

  @Test
  void commandNotFound_anotherExitCode_is255() {
    assertThat(ExitSpecs.of(Exit.COMMAND_NOT_FOUND, 127, false)).containsEntry("code", 220);
    assertThat(ExitSpecs.of(Exit.COMMAND_NOT_FOUND, 1, false))
        .containsEntry("code", 255)
        .containsEntry("behavior", "UNKNOWN")
        .containsEntry("reaction", "RETRY_TO_MAX")
        .containsEntry("reason", Exit.COMMAND_NOT_FOUND.cause().english());
  }

  @Test
  void engineWithoutImages_namesNoImage() {
    assertThat(ExitSpecs.of(Exit.PYTHON_IMPORT, 1, true))
        .containsEntry("reason", Exit.PYTHON_IMPORT.causeWithoutImage().english())
        .containsEntry("solution", List.of(Exit.PYTHON_IMPORT.adviceWithoutImage().english()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Exit.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SUCCEEDED"})
  void reaction_matchesRetryBehavior(Exit exit) {
    String reaction =
        exit.reaction() == RetryBehavior.COUNTED
            ? "RETRY_TO_MAX"
            : exit.reaction() == RetryBehavior.NEVER
                ? "NEVER_RETRY"
                : exit.reaction() == RetryBehavior.FREE ? "ALWAYS_RETRY" : "ALWAYS_BACKOFF_RETRY";
    assertThat(ExitSpecs.of(exit, 1, false)).containsEntry("reaction", reaction);
  }
}
