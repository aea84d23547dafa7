package dev.trainyard.engine.docker;

import dev.trainyard.engine.Capacity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the Docker engine is told.
 *
 * @param dataDirectory the server's; what is known of tasks lies in {@code docker}
 * @param connection stays the caller's: closing the engine leaves it open
 * @param capacity what the administrator says this machine has, instead of what is found
 * @param toolPath directories with the vendors' and the system's tools, separated as in PATH
 * @param networks where the jobs' networks are cut from, as in {@code 10.213.0.0/16}
 * @param publishAddresses of this machine, on which the tasks' ports are to be reached
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

  /** With the usual networks, and ports that only this machine reaches. */
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
