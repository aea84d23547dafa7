package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps containers from the addresses where clouds tell each machine its secrets: the link-local
 * ones, and those of clouds that have others. Rules in the chain that Docker keeps for others'
 * rules; they stay there, for whoever comes next. The jobs' networks have no addresses of the
 * internet's sixth version, so the same places need no rule there.
 */
final class MetadataFirewall {
  private static final String CHAIN = "DOCKER-USER";

  /** The link-local ones; Alibaba's; Oracle's. */
  private static final List<String> METADATA =
      List.of("169.254.0.0/16", "100.100.100.200/32", "192.0.0.192/32");

  private MetadataFirewall() {}

  /**
   * @param podman whether that is the engine: it has no chain for others' rules, and puts its own
   *     first whenever it likes; there it is the table that everything goes through before, as
   *     where Docker was told to keep no rules
   */
  static void install(HostPrograms hostPrograms, AddressRange containers, boolean podman)
      throws IOException {
    if (hostPrograms.find("iptables").isEmpty()) {
      throw new EngineException(
          "the program iptables is not installed, and without it containers could reach the"
              + " machine's own metadata at "
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
          "containers can't be kept from " + metadata + ": iptables says " + added.words());
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
