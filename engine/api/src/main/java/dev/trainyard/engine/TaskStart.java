package dev.trainyard.engine;

import java.util.Map;

/**
 * What is known of a task only when every task of its job has its place, or must not be kept.
 *
 * @param environment variables on top of those of the {@link TaskSpec}
 * @param hosts addresses of the job's tasks by name, this one among them; the task finds them in
 *     {@code /etc/hosts}
 * @param files small texts on top of those of the {@link TaskSpec}, in the same place
 * @param secrets never stored: whoever starts a task again after a crash gives them again
 */
public record TaskStart(
    Map<String, String> environment,
    Map<String, String> hosts,
    Map<String, String> files,
    SecretFiles secrets) {
  public static final TaskStart NOTHING = new TaskStart(Map.of(), Map.of());

  public TaskStart {
    environment = Map.copyOf(environment);
    hosts = Map.copyOf(hosts);
    files = Map.copyOf(files);
  }

  public TaskStart(
      Map<String, String> environment, Map<String, String> hosts, Map<String, String> files) {
    this(environment, hosts, files, SecretFiles.NONE);
  }

  public TaskStart(Map<String, String> environment, Map<String, String> hosts) {
    this(environment, hosts, Map.of());
  }

  public TaskStart withSecrets(SecretFiles given) {
    return new TaskStart(environment, hosts, files, given);
  }
}
