package dev.trainyard.dist;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Paths of the sockets of Docker or Podman on this host. */
final class DockerSocket {
  private DockerSocket() {}

  /** Returns the configured socket, or else the default sockets, Docker before Podman. */
  static List<Path> candidates(Optional<Path> named, Map<String, String> environment) {
    if (named.isPresent()) {
      return List.of(named.get());
    }
    String host = environment.getOrDefault("DOCKER_HOST", "");
    if (host.startsWith("unix://")) {
      return List.of(Path.of(host.substring("unix://".length())));
    }
    String own = environment.getOrDefault("XDG_RUNTIME_DIR", "/run/user/none");
    return List.of(
        Path.of("/var/run/docker.sock"),
        Path.of(own, "docker.sock"),
        Path.of("/run/podman/podman.sock"),
        Path.of(own, "podman", "podman.sock"));
  }
}
