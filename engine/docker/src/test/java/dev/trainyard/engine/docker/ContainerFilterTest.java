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
  private static final TaskRights PLAIN = new TaskRights(List.of());
  private static final TaskRights MOUNT = new TaskRights(List.of(Capability.SYS_ADMIN));

  private static Info engine(String... options) throws IOException {
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
  void option_dockerGetsTheProfileItself(String option) throws IOException {
    ContainerFilter filter = ContainerFilter.of(engine("name=cgroupns", option), Optional.empty());

    assertThat(filter.isSupported()).isTrue();
    assertThat(filter.option(PLAIN))
        .hasValueSatisfying(
            text -> {
              assertThat(text).startsWith("seccomp={\"defaultAction\"").contains("\"chroot\"");
              assertThat(text).doesNotContain("\"mount\"");
            });
    assertThat(filter.option(MOUNT).orElseThrow()).contains("\"mount\"");
  }

  @Test
  void option_administratorsProfileIsKept() throws IOException {
    ContainerFilter filter =
        ContainerFilter.of(engine("name=seccomp,profile=/etc/docker/own.json"), Optional.empty());

    assertThat(filter.isSupported()).isTrue();
    assertThat(filter.option(PLAIN)).isEmpty();
  }

  @Test
  void option_engineWithoutFilters() throws IOException {
    ContainerFilter filter = ContainerFilter.of(engine("name=apparmor"), Optional.empty());

    assertThat(filter.isSupported()).isFalse();
    assertThat(filter.option(PLAIN)).isEmpty();
  }

  /** Podman interprets the value as a path. */
  @Test
  void option_podmanGetsFiles(@TempDir Path directory) throws IOException {
    Info podman = engine("name=seccomp,profile=default");
    String plain = ContainerFilter.of(podman, Optional.of(directory)).option(PLAIN).orElseThrow();
    String again = ContainerFilter.of(podman, Optional.of(directory)).option(PLAIN).orElseThrow();
    String mount = ContainerFilter.of(podman, Optional.of(directory)).option(MOUNT).orElseThrow();

    assertThat(again).isEqualTo(plain).isNotEqualTo(mount).startsWith("seccomp=" + directory);
    assertThat(Files.readString(Path.of(plain.substring("seccomp=".length()))))
        .startsWith("{\"defaultAction\"");
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(2);
    }
  }
}
