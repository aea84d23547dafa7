package dev.trainyard.engine.docker;

import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Network;
import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Where containers reach the machine they run on, whatever network they are in: the address of the
 * bridge that the Docker engine makes for itself. Podman has a bridge only as long as a container
 * is in its network: there it is an address of our own.
 */
final class HostAddress {
  private static final String BRIDGE = "bridge";

  private HostAddress() {}

  /** Empty where the engine was told to have no such bridge. */
  static Optional<String> of(DockerEngineConfig config) {
    return config.connection().isPodman()
        ? Networks.reserved(config.networks()).map(range -> added(range.address(1), config))
        : ofBridge(config.connection());
  }

  /** To the machine itself, for good: another server may use it too. */
  private static String added(String address, DockerEngineConfig config) {
    try {
      ProgramResult added =
          ProgramResult.of(
              new HostPrograms(config.toolPath()),
              List.of("ip", "address", "replace", address + "/32", "dev", "lo"));
      if (added.code() != 0) {
        throw new IOException(added.words());
      }
      return address;
    } catch (IOException e) {
      throw new EngineException(
          "the machine can't have the address "
              + address
              + ", under which containers are to reach it: "
              + e.getMessage(),
          e);
    }
  }

  private static Optional<String> ofBridge(DockerConnection docker) {
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
