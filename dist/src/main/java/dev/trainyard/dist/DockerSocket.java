package dev.trainyard.dist;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Where a Docker engine of this machine listens, or Podman in its place. */
final class DockerSocket {
  private static final Path USUAL = Path.of("/var/run/docker.sock");

  private DockerSocket() {}

  static Path find(Optional<Path> named) {
    return find(named, System.getenv(), Files::exists);
  }

  /** The first one that is there; Docker's own if none is, to be named in a message. */
  static Path find(Optional<Path> named, Map<String, String> environment, Predicate<Path> exists) {
    if (named.isPresent()) {
      return named.get();
    }
    String host = environment.getOrDefault("DOCKER_HOST", "");
    if (host.startsWith("unix://")) {
      return Path.of(host.substring("unix://".length()));
    }
    String own = environment.getOrDefault("XDG_RUNTIME_DIR", "/run/user/none");
    return Stream.of(
            USUAL,
            Path.of(own, "docker.sock"),
            Path.of("/run/podman/podman.sock"),
            Path.of(own, "podman", "podman.sock"))
        .filter(exists)
        .findFirst()
        .orElse(USUAL);
  }
}
