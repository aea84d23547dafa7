package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks containers from the metadata services of clouds, which expose secrets of the host: the
 * link-local addresses, and the addresses of clouds that use others. The rules are in the chain
 * that Docker reserves for users; they are kept, for the next server process. The networks of jobs
 * have no IPv6 addresses, so no IPv6 rules are needed.
 */
final class MetadataFirewall {
  private static final String CHAIN = "DOCKER-USER";

  /** Link-local, Alibaba Cloud, Oracle Cloud. */
  private static final List<String> METADATA =
      List.of("169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32");

  private MetadataFirewall() {}

  /**
   * @param podman whether Podman is the engine: it has no chain for users and may insert its own
   *     rules first at any time. Then, and if Docker is configured without iptables rules, the raw
   *     table is used, which all packets pass first
   */
  static void install(HostPrograms hostPrograms, AddressRange containers, boolean podman)
      throws IOException {
    if (hostPrograms.find("iptables").isEmpty()) {
      throw new EngineException(
          "the program iptables is not installed, and without it containers could reach the"
              + " host's metadata service at "
              + METADATA.getFirst());
    }
    boolean raw = podman || !isDone(hostPrograms, List.of("-n", "-L", CHAIN));
    List<String> table = raw ? List.of("-t", "raw") : List.of();
    for (String metadata : METADATA) {
      List<String> rule =
          List.of(
              raw ? "PREROUTING" : CHAIN,
              "-s",
              containers.toString(),
              "-d",
              metadata,
              "-j",
              raw ? "DROP" : "REJECT");
      if (!isDone(hostPrograms, words(table, "-C", rule))) {
        insert(hostPrograms, metadata, words(table, "-I", rule));
      }
    }
  }

  private static boolean isDone(HostPrograms hostPrograms, List<String> action) throws IOException {
    return iptables(hostPrograms, action).code() == 0;
  }

  private static void insert(HostPrograms hostPrograms, String metadata, List<String> action)
      throws IOException {
    ProgramResult added = iptables(hostPrograms, action);
    if (added.code() != 0) {
      throw new EngineException(
          "failed to block containers from " + metadata + ": " + added.words());
    }
  }

  private static ProgramResult iptables(HostPrograms hostPrograms, List<String> action)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("iptables", "-w", "10"));
    command.addAll(action);
    return ProgramResult.of(hostPrograms, command);
  }

  private static List<String> words(List<String> table, String action, List<String> rule) {
    List<String> words = new ArrayList<>(table);
    words.add(action);
    words.addAll(rule);
    return words;
  }
}
