package dev.trainyard.engine.docker;

import dev.trainyard.engine.Capacity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Configuration of the Docker engine.
 *
 * @param dataDirectory data directory of the server; the state of tasks is in {@code docker}
 * @param connection owned by the caller: closing the engine leaves it open
 * @param capacity resources that the administrator declared for this host, instead of the
 *     discovered ones
 * @param toolPath directories with the vendors' and the system's tools, separated as in PATH
 * @param networks range from which the networks of jobs are allocated, for example {@code
 *     10.213.0.0/16}
 * @param publishAddresses addresses of this host on which the ports of tasks are published
 */
public record DockerEngineConfig(
    Path dataDirectory,
    DockerConnection connection,
    Optional<Capacity> capacity,
    String toolPath,
    AddressRange networks,
    List<String> publishAddresses) {
  public static final String DEFAULT_NETWORKS = "10.213.0.0/16";
  private static final String SYSTEM_TOOLS =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  public DockerEngineConfig {
    publishAddresses = List.copyOf(publishAddresses);
  }

  /**
   * Creates a configuration with the default networks, and ports that are reachable from this host
   * only.
   */
  public static DockerEngineConfig of(
      Path dataDirectory, DockerConnection connection, Optional<Capacity> capacity) {
    String path = System.getenv().getOrDefault("PATH", "");
    return new DockerEngineConfig(
        dataDirectory,
        connection,
        capacity,
        path + ":" + SYSTEM_TOOLS + ":/usr/local/Ascend/driver/tools:/opt/rocm/bin",
        AddressRange.parse(DEFAULT_NETWORKS),
        List.of("127.0.0.1"));
  }

  public DockerEngineConfig withNetworks(AddressRange range) {
    return new DockerEngineConfig(
        dataDirectory, connection, capacity, toolPath, range, publishAddresses);
  }

  public DockerEngineConfig withPublishAddresses(List<String> addresses) {
    return new DockerEngineConfig(
        dataDirectory, connection, capacity, toolPath, networks, addresses);
  }
}
