package dev.trainyard.server.openpai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.ExitTable;
import dev.trainyard.model.diagnosis.OpenPaiExits;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExitSpecsTest {
  @Test
  void ordinaryFailure_is255() {
    assertThat(ExitSpecs.of(Exit.COMMAND_FAILED))
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
    assertThat(ExitSpecs.of(exit)).containsEntry("reaction", reaction);
  }
}
