package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Api;

/** API paths of a job and its logs. */
final class JobPath {
  private JobPath() {}

  static String of(String job) {
    return "/api/v3/jobs/" + Api.part(job);
  }

  /** Path for running commands in a task; {@code -} as for logs. */
  static String exec(String job, String role, String index) {
    return of(job) + "/tasks/" + Api.part(role) + "/" + Api.part(index) + "/exec";
  }

  /** Path of all runs of a task. */
  static String runs(String job, String role, String index) {
    return of(job) + "/tasks/" + Api.part(role) + "/" + Api.part(index) + "/runs";
  }

  /** Path of one log of one task; {@code -} stands for the only role or the only index. */
  static String log(String job, String role, String index, String stream) {
    return of(job) + "/logs/" + Api.part(role) + "/" + Api.part(index) + "/" + stream;
  }
}
