package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.model.Info;
import dev.trainyard.engine.TaskRights;
import dev.trainyard.model.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerFilterTest {
  private static final TaskRights NO_CAPABILITIES = new TaskRights(List.of());
  private static final TaskRights SYS_ADMIN_RIGHTS = new TaskRights(List.of(Capability.SYS_ADMIN));

  private static Info engineInfo(String... options) throws IOException {
    ObjectMapper json = new ObjectMapper();
    String text = "{\"SecurityOptions\":" + json.writeValueAsString(options) + "}";
    return json.readValue(text, Info.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name=seccomp,profile=builtin",
        "name=seccomp,profile=default",
        "name=seccomp,profile=unconfined",
        "name=seccomp"
      })
  void option_docker_isProfileText(String option) throws IOException {
    ContainerFilter filter =
        ContainerFilter.of(engineInfo("name=cgroupns", option), Optional.empty());

    assertThat(filter.isSupported()).isTrue();
    assertThat(filter.option(NO_CAPABILITIES))
        .hasValueSatisfying(
            text -> {
              assertThat(text).startsWith("seccomp={\"defaultAction\"").contains("\"chroot\"");
              assertThat(text).doesNotContain("\"mount\"");
            });
    assertThat(filter.option(SYS_ADMIN_RIGHTS).orElseThrow()).contains("\"mount\"");
  }

  @Test
  void option_administratorsProfile_isKept() throws IOException {
    ContainerFilter filter =
        ContainerFilter.of(
            engineInfo("name=seccomp,profile=/etc/docker/own.json"), Optional.empty());

    assertThat(filter.isSupported()).isTrue();
    assertThat(filter.option(NO_CAPABILITIES)).isEmpty();
  }

  @Test
  void option_engineWithoutFilters() throws IOException {
    ContainerFilter filter = ContainerFilter.of(engineInfo("name=apparmor"), Optional.empty());

    assertThat(filter.isSupported()).isFalse();
    assertThat(filter.option(NO_CAPABILITIES)).isEmpty();
  }

  /** Podman interprets the value as a path. */
  @Test
  void option_podman_isFile(@TempDir Path directory) throws IOException {
    Info podman = engineInfo("name=seccomp,profile=default");
    String plainOption =
        ContainerFilter.of(podman, Optional.of(directory)).option(NO_CAPABILITIES).orElseThrow();
    String repeatedOption =
        ContainerFilter.of(podman, Optional.of(directory)).option(NO_CAPABILITIES).orElseThrow();
    String mountOption =
        ContainerFilter.of(podman, Optional.of(directory)).option(SYS_ADMIN_RIGHTS).orElseThrow();

    assertThat(repeatedOption)
        .isEqualTo(plainOption)
        .isNotEqualTo(mountOption)
        .startsWith("seccomp=" + directory);
    assertThat(Files.readString(Path.of(plainOption.substring("seccomp=".length()))))
        .startsWith("{\"defaultAction\"");
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(2);
    }
  }
}
