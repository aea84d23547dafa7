package dev.trainyard.dist;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Paths of the sockets of Docker or Podman on this host. */
final class DockerSocket {
  private DockerSocket() {}

  /**
   * Returns the configured socket or, if none is configured, the default sockets, Docker before
   * Podman.
   */
  static List<Path> candidates(Optional<Path> configuredSocket, Map<String, String> environment) {
    if (configuredSocket.isPresent()) {
      return List.of(configuredSocket.get());
    }
    String host = environment.getOrDefault("DOCKER_HOST", "");
    if (host.startsWith("unix://")) {
      return List.of(Path.of(host.substring("unix://".length())));
    }
    String runtimeDirectory = environment.getOrDefault("XDG_RUNTIME_DIR", "/run/user/none");
    return List.of(
        Path.of("/var/run/docker.sock"),
        Path.of(runtimeDirectory, "docker.sock"),
        Path.of("/run/podman/podman.sock"),
        Path.of(runtimeDirectory, "podman", "podman.sock"));
  }
}
