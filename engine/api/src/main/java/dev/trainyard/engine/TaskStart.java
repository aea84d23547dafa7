package dev.trainyard.engine;

import java.util.Map;

/**
 * The part of a task's specification that is known only when every task of the job is placed, or
 * that must not be stored.
 *
 * @param environment variables in addition to the {@link TaskSpec}
 * @param hosts addresses of the job's tasks by name, including this one; written to the task's
 *     {@code /etc/hosts}
 * @param files small text files in addition to the {@link TaskSpec}, in the same directory
 * @param secrets secret files, which are never stored; a caller that starts the task again after a
 *     crash must provide them again
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

  public TaskStart withSecrets(SecretFiles newSecrets) {
    return new TaskStart(environment, hosts, files, newSecrets);
  }
}
