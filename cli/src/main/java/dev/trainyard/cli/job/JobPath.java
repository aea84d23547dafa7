package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Api;

/** Where the API keeps a job and its logs. */
final class JobPath {
  private JobPath() {}

  static String of(String job) {
    return "/api/v3/jobs/" + Api.part(job);
  }

  /** Where commands are run in a task; {@code -} as for logs. */
  static String exec(String job, String role, String index) {
    return of(job) + "/tasks/" + Api.part(role) + "/" + Api.part(index) + "/exec";
  }

  /** Every run that a task had. */
  static String runs(String job, String role, String index) {
    return of(job) + "/tasks/" + Api.part(role) + "/" + Api.part(index) + "/runs";
  }

  /** One log of one task; {@code -} stands for the only role and the only index. */
  static String log(String job, String role, String index, String stream) {
    return of(job) + "/logs/" + Api.part(role) + "/" + Api.part(index) + "/" + stream;
  }
}
