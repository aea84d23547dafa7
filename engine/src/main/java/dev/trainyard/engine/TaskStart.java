package dev.trainyard.engine;

import java.util.Map;

/**
 * What is known of a task only when every task of its job has its place.
 *
 * @param environment variables on top of those of the {@link TaskSpec}
 * @param hosts addresses of the job's tasks by name, this one among them; the task finds them in
 *     {@code /etc/hosts}
 * @param files small texts on top of those of the {@link TaskSpec}, in the same place
 */
public record TaskStart(
    Map<String, String> environment, Map<String, String> hosts, Map<String, String> files) {
  public static final TaskStart NOTHING = new TaskStart(Map.of(), Map.of());

  public TaskStart {
    environment = Map.copyOf(environment);
    hosts = Map.copyOf(hosts);
    files = Map.copyOf(files);
  }

  public TaskStart(Map<String, String> environment, Map<String, String> hosts) {
    this(environment, hosts, Map.of());
  }
}
