package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineChoiceTest {
  private static final Optional<String> DOCKER = Optional.empty();
  private static final Optional<String> NO_DOCKER = Optional.of("nobody answers");

  @Test
  void of_auto_takesDockerWhereItAnswers() {
    assertThat(EngineChoice.of("auto", Map.of(), DOCKER).engine()).isEqualTo("docker");
    EngineChoice without = EngineChoice.of("auto", Map.of(), NO_DOCKER);
    assertThat(without.engine()).isEqualTo("process");
    assertThat(without.reason().english()).isEqualTo("nobody answers");
  }

  @Test
  void of_auto_staysWithTheEngineOfTheTasks() {
    EngineChoice choice = EngineChoice.of("auto", Map.of("process", 3), DOCKER);
    assertThat(choice.engine()).isEqualTo("process");
    assertThat(choice.reason().english()).contains("3 tasks");
    assertThat(EngineChoice.of("auto", Map.of("docker", 1), NO_DOCKER).engine())
        .isEqualTo("docker");
  }

  @Test
  void of_named_isTaken() {
    assertThat(EngineChoice.of("process", Map.of(), DOCKER).engine()).isEqualTo("process");
    assertThat(EngineChoice.of("docker", Map.of("docker", 2), NO_DOCKER).engine())
        .isEqualTo("docker");
  }

  @Test
  void of_named_isRefusedWhileTasksOfAnotherLive() {
    assertThatThrownBy(() -> EngineChoice.of("docker", Map.of("process", 2), DOCKER))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("2 tasks")
        .hasMessageContaining("--engine process");
  }
}
