package dev.trainyard.engine.docker;

import dev.trainyard.engine.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;

/** Podman's compatible socket, started by {@code it/docker/podman} in the source tree. */
final class Podman {
  /** Different from the range of the Docker engine's tests, which may run at the same time. */
  static final AddressRange NETWORKS = AddressRange.parse("10.214.0.0/16");

  private static final Path SOCKET = Path.of("/run/trainyard-test-podman/podman.sock");

  private Podman() {}

  /** Skips the test if Podman was not started. */
  static DockerConnection connection() {
    Requirement.require("podman", TestHost.USER == 0, "only root's Podman can be used");
    Requirement.require("podman", Files.exists(SOCKET), "it/docker/podman has not started it");
    return DockerConnection.open(SOCKET);
  }
}
