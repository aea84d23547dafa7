package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DockerSocketTest {
  private static final Path PODMAN = Path.of("/run/user/7/podman/podman.sock");

  @Test
  void find_namedFirst() {
    Map<String, String> environment = Map.of("DOCKER_HOST", "unix:///other");
    assertThat(find(Optional.of(Path.of("/named")), environment)).isEqualTo(Path.of("/named"));
    assertThat(find(Optional.empty(), environment)).isEqualTo(Path.of("/other"));
  }

  @Test
  void find_theFirstThatIsThere() {
    Map<String, String> environment = Map.of("XDG_RUNTIME_DIR", "/run/user/7");
    assertThat(find(Optional.empty(), environment, PODMAN)).isEqualTo(PODMAN);
    Path usual = Path.of("/var/run/docker.sock");
    assertThat(find(Optional.empty(), environment, PODMAN, usual)).isEqualTo(usual);
    assertThat(find(Optional.empty(), environment)).isEqualTo(usual);
  }

  private static Path find(
      Optional<Path> named, Map<String, String> environment, Path... existing) {
    return DockerSocket.find(named, environment, List.of(existing)::contains);
  }
}
