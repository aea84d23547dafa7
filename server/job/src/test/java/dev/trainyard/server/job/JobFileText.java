package dev.trainyard.server.job;

/** Job files for tests, in OpenPAI v1. */
public final class JobFileText {
  private JobFileText() {}

  public static String named(String name) {
    return of(name, "main", 1, 1, 0, "");
  }

  /**
   * Returns a file with one role; {@code extraFields} contains further fields of the job, each
   * followed by a comma.
   */
  public static String of(
      String name, String role, int tasks, int cpus, int gpus, String extraFields) {
    return """
    {"jobName": "%s", "image": "ubuntu:16.04", %s
     "taskRoles": [{"name": "%s", "taskNumber": %d, "cpuNumber": %d, "memoryMB": 512,
       "gpuNumber": %d, "command": "echo hello"}]}
    """
        .formatted(name, extraFields, role, tasks, cpus, gpus);
  }
}
