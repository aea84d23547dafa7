package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DockerSocketTest {
  @Test
  void candidates_configuredSocket_isTheOnlyOne() {
    Map<String, String> environment = Map.of("DOCKER_HOST", "unix:///other");
    Path configuredSocket = Path.of("/named");
    assertThat(DockerSocket.candidates(Optional.of(configuredSocket), environment))
        .containsExactly(configuredSocket);
    assertThat(DockerSocket.candidates(Optional.empty(), environment))
        .containsExactly(Path.of("/other"));
  }

  @Test
  void candidates_default_dockerBeforePodman() {
    Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", "/run/user/7");
    assertThat(DockerSocket.candidates(Optional.empty(), environment))
        .containsExactly(
            Path.of("/var/run/docker.sock"),
            Path.of("/run/user/7/docker.sock"),
            Path.of("/run/podman/podman.sock"),
            Path.of("/run/user/7/podman/podman.sock"));
  }
}
