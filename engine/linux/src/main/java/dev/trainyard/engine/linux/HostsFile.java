package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Generates the text of a task's {@code /etc/hosts}. */
public final class HostsFile {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,252})?");
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f.:]{2,45}");

  /**
   * The last generated text. It is cached because the tasks of a job start one after the other with
   * the same hosts.
   */
  private static volatile CachedText cache = new CachedText(Map.of(), "");

  private record CachedText(Map<String, String> hosts, String text) {}

  private HostsFile() {}

  /**
   * @param hostName host name of the task
   * @param address address of the task
   * @param hosts addresses by name; may include the task itself
   */
  public static String of(String hostName, String address, Map<String, String> hosts) {
    CachedText cachedText = cache;
    if (!cachedText.hosts().equals(hosts)) {
      StringBuilder text = new StringBuilder();
      new TreeMap<>(hosts).forEach((name, hostAddress) -> text.append(line(name, hostAddress)));
      cachedText = new CachedText(hosts, text.toString());
      cache = cachedText;
    }
    String ownLine = hosts.containsKey(hostName) ? "" : line(hostName, address);
    return "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n"
        + ownLine
        + cachedText.text();
  }

  private static String line(String name, String address) {
    if (!NAME.matcher(name).matches() || !ADDRESS.matcher(address).matches()) {
      throw new EngineException("'" + address + " " + name + "' is not a valid hosts entry");
    }
    return address + " " + name + "\n";
  }
}
