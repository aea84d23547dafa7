package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import java.util.Map;
import java.util.TreeMap;

/** The text of a task's {@code /etc/hosts}. */
final class HostsFile {
  private static final String NAME = "[A-Za-z0-9]([A-Za-z0-9._-]{0,252})?";
  private static final String ADDRESS = "[0-9A-Fa-f.:]{2,45}";

  private HostsFile() {}

  /**
   * @param hostName the task's own
   * @param address the task's own
   * @param others addresses by name; the task's own may be among them
   */
  static String of(String hostName, String address, Map<String, String> others) {
    StringBuilder text = new StringBuilder();
    text.append("127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n");
    Map<String, String> all = new TreeMap<>(others);
    all.putIfAbsent(hostName, address);
    for (var host : all.entrySet()) {
      if (!host.getKey().matches(NAME) || !host.getValue().matches(ADDRESS)) {
        throw new EngineException(
            "'" + host.getValue() + " " + host.getKey() + "' can't be in a list of hosts");
      }
      text.append(host.getValue()).append(' ').append(host.getKey()).append('\n');
    }
    return text.toString();
  }
}
