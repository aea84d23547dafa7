package dev.trainyard.engine.docker;

import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Network;
import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The address at which containers can reach the host, whatever network they are in: the address of
 * the Docker engine's default bridge. With Podman, a bridge exists only while a container uses it,
 * so an additional address of the host is used.
 */
final class HostAddress {
  private static final String BRIDGE = "bridge";

  private HostAddress() {}

  /** Returns the address; empty if the engine is configured without a default bridge. */
  static Optional<String> of(DockerEngineConfig config) {
    return config.connection().isPodman()
        ? Networks.reservedRange(config.networks())
            .map(range -> addToHost(range.address(1), config))
        : findBridgeAddress(config.connection());
  }

  /**
   * Adds the address to the host. The address is never removed, because another server may use it
   * too.
   */
  private static String addToHost(String address, DockerEngineConfig config) {
    try {
      ProgramResult result =
          ProgramResult.run(
              new HostPrograms(config.toolPath()),
              List.of("ip", "address", "replace", address + "/32", "dev", "lo"));
      if (result.exitCode() != 0) {
        throw new IOException(result.output());
      }
      return address;
    } catch (IOException e) {
      throw new EngineException(
          "failed to add to the host the address "
              + address
              + " for requests from containers: "
              + e.getMessage(),
          e);
    }
  }

  private static Optional<String> findBridgeAddress(DockerConnection docker) {
    try {
      Network bridge = docker.client().inspectNetworkCmd().withNetworkId(BRIDGE).exec();
      return bridge.getIpam().getConfig().stream()
          .map(Network.Ipam.Config::getGateway)
          .filter(gateway -> gateway != null && gateway.indexOf('.') > 0)
          .findFirst();
    } catch (NotFoundException e) {
      return Optional.empty();
    }
  }
}
