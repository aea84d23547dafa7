package dev.trainyard.model.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.Message;
import dev.trainyard.model.Messages;
import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.TaskEnd;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExitTableTest {
  @ParameterizedTest
  @CsvSource({
    "0, SUCCEEDED, SUCCEEDED, NEVER",
    "1, COMMAND_FAILED, COMMAND_FAILED, COUNTED",
    "2, COMMAND_FAILED, WRONG_USAGE, COUNTED",
    "3, COMMAND_FAILED, COMMAND_FAILED, COUNTED",
    "126, COMMAND_FAILED, NOT_EXECUTABLE, COUNTED",
    "127, COMMAND_FAILED, COMMAND_NOT_FOUND, COUNTED",
    "128, COMMAND_FAILED, INVALID_EXIT, COUNTED",
    "129, KILLED_BY_SIGNAL, OTHER_SIGNAL, COUNTED",
    "134, KILLED_BY_SIGNAL, SIGNAL_ABORT, COUNTED",
    "137, KILLED_BY_SIGNAL, SIGNAL_KILL, COUNTED",
    "137, OUT_OF_MEMORY, OUT_OF_MEMORY, COUNTED",
    "137, STOPPED, STOPPED, COUNTED",
    "137, SUPERVISOR_LOST, TASK_LOST, FREE",
    "139, KILLED_BY_SIGNAL, SEGMENTATION_FAULT, COUNTED",
    "143, KILLED_BY_SIGNAL, SIGNAL_TERMINATE, COUNTED",
    "192, KILLED_BY_SIGNAL, OTHER_SIGNAL, COUNTED",
    "193, COMMAND_FAILED, COMMAND_FAILED, COUNTED",
    "226, COMMAND_FAILED, COMMAND_FAILED, COUNTED",
    "255, COMMAND_FAILED, COMMAND_FAILED, COUNTED",
    "255, START_REFUSED, START_REFUSED, NEVER",
    "255, START_FAILED, START_FAILED, FREE",
    "255, NODE_LOST, NODE_LOST, FREE",
    "1, DISK_FULL, DISK_FULL, COUNTED",
  })
  void of_end(int code, ExitReason reason, Exit exit, RetryBehavior retryBehavior) {
    Exit actual = ExitTable.of(new TaskEnd(code, reason, "", Instant.EPOCH));
    assertThat(actual).isEqualTo(exit);
    assertThat(actual.reaction()).isEqualTo(retryBehavior);
  }

  @Test
  void of_unreachableRegistry_differsFromOtherStartFailures() {
    Message message = Message.of("error.image-unreachable", "registry", "docker.io");
    assertThat(ExitTable.of(startFailure(message))).isEqualTo(Exit.REGISTRY_UNREACHABLE);
    assertThat(Exit.REGISTRY_UNREACHABLE.advice().english())
        .contains("registry-mirrors", "docker load", "--engine process");
    assertThat(ExitTable.of(startFailure(Message.of("error.image-no-room"))))
        .isEqualTo(Exit.START_FAILED);
  }

  private static TaskEnd startFailure(Message message) {
    return new TaskEnd(255, ExitReason.START_FAILED, "detail", Instant.EPOCH, Optional.of(message));
  }

  @ParameterizedTest
  @EnumSource(ExitReason.class)
  void of_reason_blameMatchesRetryBehavior(ExitReason reason) {
    RetryBehavior retryBehavior =
        ExitTable.of(new TaskEnd(1, reason, "", Instant.EPOCH)).reaction();
    assertThat(retryBehavior == RetryBehavior.FREE)
        .isEqualTo(reason.blame() == ExitReason.Blame.PLATFORM);
  }

  @ParameterizedTest
  @EnumSource(Exit.class)
  void exit_hasTextsInBothLanguages(Exit exit) {
    for (Message message :
        List.of(exit.phrase(), exit.cause(), exit.advice(), exit.reaction().description())) {
      assertThat(Messages.ENGLISH.template(message.code())).as(message.code()).isNotBlank();
      assertThat(Messages.CHINESE.template(message.code())).as(message.code()).isNotBlank();
    }
    assertThat(OpenPaiExits.of(exit, 1).phrase()).isNotBlank();
  }

  @Test
  void openPai_wholeTable() {
    assertThat(OpenPaiExits.rows()).hasSize(62);
    OpenPaiExits.Row killed = OpenPaiExits.find(137).orElseThrow();
    assertThat(killed)
        .isEqualTo(
            new OpenPaiExits.Row(
                137,
                "ContainerSigKillReceived",
                "PAI_OS",
                "PAI_OS",
                "PLATFORM_FAILURE",
                "RUNNING",
                OpenPaiExits.Behaviour.T,
                Exit.SIGNAL_KILL));
    assertThat(OpenPaiExits.find(1)).isEmpty();
  }

  /**
   * In OpenPAI these ends were not counted, so a program that killed itself was retried forever.
   */
  @ParameterizedTest
  @CsvSource({"130", "131", "137", "143"})
  void openPai_userSignals_counted(int code) {
    OpenPaiExits.Row row = OpenPaiExits.find(code).orElseThrow();
    assertThat(row.behaviour()).isEqualTo(OpenPaiExits.Behaviour.T);
    assertThat(row.exit().reaction()).isEqualTo(RetryBehavior.COUNTED);
  }

  @Test
  void withoutImage_noTextBlamesOrSuggestsAnImage() {
    for (Exit exit : Exit.values()) {
      if (exit != Exit.IMAGE_MISSING) {
        assertThat(exit.adviceWithoutImage().english()).as(exit.name()).doesNotContain("an image");
        assertThat(exit.adviceWithoutImage().english()).doesNotContain("another image");
        assertThat(exit.causeWithoutImage().english())
            .as(exit.name())
            .doesNotContain("in the image")
            .doesNotContain("image was built")
            .doesNotContain("image lacks");
      }
    }
    assertThat(Exit.PYTHON_IMPORT.causeWithoutImage().english()).contains("not use the image");
    assertThat(Exit.PYTHON_IMPORT.adviceWithoutImage().english()).contains("python3-torch");
  }
}
