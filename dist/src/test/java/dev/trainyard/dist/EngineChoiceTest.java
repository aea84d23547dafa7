package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.dist.EngineChoice.ContainerEngine;
import dev.trainyard.model.AppException;
import dev.trainyard.model.Message;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineChoiceTest {
  private static final Optional<ContainerEngine> DOCKER =
      Optional.of(new ContainerEngine("docker", "/docker.sock"));
  private static final Optional<ContainerEngine> PODMAN =
      Optional.of(new ContainerEngine("podman", "/podman.sock"));
  private static final Optional<ContainerEngine> NONE = Optional.empty();
  private static final Optional<Message> NO_RESPONSE =
      Optional.of(Message.of("config.engine-no-answer", "why", "no response"));

  @Test
  void of_auto_choosesTheRespondingEngine() {
    assertThat(of("auto", Map.of(), DOCKER).engine()).isEqualTo("docker");
    EngineChoice podman = EngineChoice.of("auto", Map.of(), PODMAN, NO_RESPONSE);
    assertThat(podman.engine()).isEqualTo("podman");
    assertThat(podman.reason().english()).isEqualTo("Podman responds at /podman.sock; no response");
    EngineChoice choice = EngineChoice.of("auto", Map.of(), NONE, NO_RESPONSE);
    assertThat(choice.engine()).isEqualTo("process");
    assertThat(choice.reason().english()).isEqualTo("no response");
  }

  @Test
  void of_auto_keepsTheEngineOfUnfinishedTasks() {
    EngineChoice choice = of("auto", Map.of("process", 3), DOCKER);
    assertThat(choice.engine()).isEqualTo("process");
    assertThat(choice.reason().english()).contains("3 unfinished tasks");
    assertThat(of("auto", Map.of("docker", 1), NONE).engine()).isEqualTo("docker");
    assertThat(of("auto", Map.of("podman", 1), NONE).engine()).isEqualTo("podman");
  }

  @Test
  void of_configured_isChosen() {
    assertThat(of("process", Map.of(), DOCKER).engine()).isEqualTo("process");
    assertThat(of("docker", Map.of("docker", 2), NONE).engine()).isEqualTo("docker");
    assertThat(of("docker", Map.of(), PODMAN).engine()).isEqualTo("podman");
    assertThat(of("podman", Map.of(), NONE).engine()).isEqualTo("podman");
  }

  @Test
  void of_configured_otherEngineHasUnfinishedTasks_fails() {
    assertThatThrownBy(() -> of("docker", Map.of("process", 2), DOCKER))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("2 unfinished tasks")
        .hasMessageContaining("--engine process");
    assertThatThrownBy(() -> of("podman", Map.of("docker", 2), PODMAN))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("--engine docker");
  }

  @Test
  void acceptableEngines_unfinishedTasks_onlyTheirEngine() {
    assertThat(EngineChoice.acceptableEngines("auto", Map.of())).containsOnly("docker", "podman");
    assertThat(EngineChoice.acceptableEngines("docker", Map.of())).containsOnly("docker", "podman");
    assertThat(EngineChoice.acceptableEngines("podman", Map.of())).containsOnly("podman");
    assertThat(EngineChoice.acceptableEngines("process", Map.of())).isEmpty();
    assertThat(EngineChoice.acceptableEngines("auto", Map.of("docker", 1))).containsOnly("docker");
    assertThat(EngineChoice.acceptableEngines("docker", Map.of("podman", 1)))
        .containsOnly("podman");
    assertThat(EngineChoice.acceptableEngines("auto", Map.of("process", 1))).isEmpty();
  }

  private static EngineChoice of(
      String setting, Map<String, Integer> unfinished, Optional<ContainerEngine> containerEngine) {
    return EngineChoice.of(setting, unfinished, containerEngine, Optional.empty());
  }
}
