package dev.trainyard.cli.job;

import dev.trainyard.cli.api.ApiClient;

/** API paths of a job and its logs. */
final class JobPath {
  private JobPath() {}

  static String of(String job) {
    return "/api/v3/jobs/" + ApiClient.encode(job);
  }

  /** Path for running commands in a task; {@code -} denotes the only role or the only index. */
  static String exec(String job, String role, String index) {
    return of(job) + "/tasks/" + ApiClient.encode(role) + "/" + ApiClient.encode(index) + "/exec";
  }

  /** Path of all runs of a task. */
  static String runs(String job, String role, String index) {
    return of(job) + "/tasks/" + ApiClient.encode(role) + "/" + ApiClient.encode(index) + "/runs";
  }

  /** Path of one log of one task; {@code -} denotes the only role or the only index. */
  static String log(String job, String role, String index, String stream) {
    return of(job)
        + "/logs/"
        + ApiClient.encode(role)
        + "/"
        + ApiClient.encode(index)
        + "/"
        + stream;
  }
}
