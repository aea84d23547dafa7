package dev.trainyard.server.image;

import dev.trainyard.model.ImageReference;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Normalizes the host name of a registry. */
final class RegistryName {
  private static final Set<String> DOCKER_HUB_NAMES =
      Set.of("docker.io", "index.docker.io", "registry-1.docker.io", "hub.docker.com", "");

  private RegistryName() {}

  /** Returns the normalized host; empty if it is invalid. */
  static Optional<String> of(String text) {
    String host = text.strip().toLowerCase(Locale.ROOT).replaceFirst("^https?://", "");
    int slash = host.indexOf('/');
    host = slash < 0 ? host : host.substring(0, slash);
    if (DOCKER_HUB_NAMES.contains(host)) {
      return Optional.of(ImageReference.DOCKER_HUB);
    }
    return Optional.of(host).filter(ImageReference::isHost);
  }
}
