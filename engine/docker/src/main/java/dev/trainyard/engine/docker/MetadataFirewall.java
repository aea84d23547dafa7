package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks the access of containers to the metadata services of clouds, which expose secrets of the
 * host. Blocks the link-local range, and single addresses of clouds that do not use this range. The
 * rules are in the chain that Docker reserves for users. They stay when the server ends, so that
 * they also apply until the next server process starts. The networks of jobs have no IPv6
 * addresses, so no IPv6 rules are needed.
 */
final class MetadataFirewall {
  private static final String CHAIN = "DOCKER-USER";

  /** Addresses of metadata services: link-local, Alibaba Cloud, Oracle Cloud. */
  private static final List<String> METADATA_ADDRESSES =
      List.of("169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32");

  private MetadataFirewall() {}

  /**
   * @param podman whether Podman is the engine: it has no chain for users and may insert its own
   *     rules first at any time. With Podman, and if Docker is configured without iptables rules,
   *     the rules are in the raw table, which all packets pass first
   */
  static void install(HostPrograms hostPrograms, AddressRange containers, boolean podman)
      throws IOException {
    if (hostPrograms.find("iptables").isEmpty()) {
      throw new EngineException(
          "the program iptables is not installed, and without it containers could reach the"
              + " host's metadata service at "
              + METADATA_ADDRESSES.getFirst());
    }
    boolean useRawTable = podman || !succeeds(hostPrograms, List.of("-n", "-L", CHAIN));
    List<String> table = useRawTable ? List.of("-t", "raw") : List.of();
    for (String metadata : METADATA_ADDRESSES) {
      List<String> rule =
          List.of(
              useRawTable ? "PREROUTING" : CHAIN,
              "-s",
              containers.toString(),
              "-d",
              metadata,
              "-j",
              useRawTable ? "DROP" : "REJECT");
      if (!succeeds(hostPrograms, arguments(table, "-C", rule))) {
        insert(hostPrograms, metadata, arguments(table, "-I", rule));
      }
    }
  }

  private static boolean succeeds(HostPrograms hostPrograms, List<String> action)
      throws IOException {
    return iptables(hostPrograms, action).exitCode() == 0;
  }

  private static void insert(HostPrograms hostPrograms, String metadata, List<String> action)
      throws IOException {
    ProgramResult result = iptables(hostPrograms, action);
    if (result.exitCode() != 0) {
      throw new EngineException(
          "failed to block containers from " + metadata + ": " + result.output());
    }
  }

  private static ProgramResult iptables(HostPrograms hostPrograms, List<String> action)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("iptables", "-w", "10"));
    command.addAll(action);
    return ProgramResult.run(hostPrograms, command);
  }

  private static List<String> arguments(List<String> table, String action, List<String> rule) {
    List<String> arguments = new ArrayList<>(table);
    arguments.add(action);
    arguments.addAll(rule);
    return arguments;
  }
}
