package dev.trainyard.server.team;

/** Resources and counts that can be limited per user. */
public enum Limit {
  /** Jobs to which resources of nodes are allocated. */
  RUNNING_JOBS("runningJobs"),
  CPUS("cpus"),
  MEMORY("memoryMB"),
  DEVICES("devices"),
  /** Jobs that have not finished, including waiting jobs. */
  UNFINISHED_JOBS("unfinishedJobs"),
  /** Tasks of unfinished jobs. */
  UNFINISHED_TASKS("unfinishedTasks"),
  /** Total size of the job files of unfinished jobs, in megabytes. */
  UNFINISHED_FILES("unfinishedFilesMB");

  private final String label;

  Limit(String label) {
    this.label = label;
  }

  /** Returns the name used in the API, the database and the settings. */
  public String label() {
    return label;
  }
}
