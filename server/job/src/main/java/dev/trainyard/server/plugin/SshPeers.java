package dev.trainyard.server.plugin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Generates the part of {@code ssh_config} with which the tasks of a job find each other's ssh
 * servers. The last block applies to all of these servers; the task adds the login name to this
 * block.
 */
final class SshPeers {
  private SshPeers() {}

  /**
   * @param name {@code role-index}, the name that users know
   */
  record Peer(String name, String address, String port) {}

  /**
   * @param hosts addresses by the host names of the tasks
   */
  static String config(List<Peer> peers, Map<String, String> hosts) {
    Map<String, List<String>> hostsByAddress = new HashMap<>();
    hosts.forEach(
        (name, address) ->
            hostsByAddress.computeIfAbsent(address, _ -> new ArrayList<>()).add(name));
    Map<String, Integer> peersByAddress = new HashMap<>();
    peers.forEach(peer -> peersByAddress.merge(peer.address(), 1, Integer::sum));
    StringBuilder text = new StringBuilder();
    Set<String> allNames = new LinkedHashSet<>();
    for (Peer peer : peers) {
      Set<String> names = new LinkedHashSet<>(List.of(peer.name()));
      // If several tasks share an address, only the names of the tasks are unambiguous.
      if (peersByAddress.get(peer.address()) == 1) {
        names.addAll(
            hostsByAddress.getOrDefault(peer.address(), List.of()).stream().sorted().toList());
        names.add(peer.address());
      }
      allNames.addAll(names);
      text.append("Host ").append(String.join(" ", names)).append('\n');
      text.append("  HostName ").append(peer.address()).append('\n');
      text.append("  Port ").append(peer.port()).append('\n');
    }
    return text.append("Host ").append(String.join(" ", allNames)).append('\n')
        + """
          IdentityFile /usr/local/pai/secrets/ssh_key
          IdentitiesOnly yes
          HostKeyAlias pai-job
          StrictHostKeyChecking yes
          UserKnownHostsFile /dev/null
          GlobalKnownHostsFile /run/pai-ssh/known_hosts
          LogLevel ERROR
        """;
  }
}
