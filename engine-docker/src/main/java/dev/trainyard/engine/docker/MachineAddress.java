package dev.trainyard.engine.docker;

import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Network;
import java.util.Optional;

/**
 * Where containers reach the machine they run on, whatever network they are in: the address of the
 * bridge that the Docker engine makes for itself.
 */
final class MachineAddress {
  private static final String BRIDGE = "bridge";

  private MachineAddress() {}

  /** Empty where the engine was told to have no such bridge. */
  static Optional<String> of(DockerConnection docker) {
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
