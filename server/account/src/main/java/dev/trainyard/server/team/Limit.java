package dev.trainyard.server.team;

/** What a single user may be limited in. */
public enum Limit {
  /** Jobs that hold a place on a machine. */
  RUNNING_JOBS("runningJobs"),
  CPUS("cpus"),
  MEMORY("memoryMB"),
  DEVICES("devices"),
  /** Jobs that are not over, waiting ones included. */
  UNFINISHED_JOBS("unfinishedJobs"),
  /** Tasks of these jobs. */
  UNFINISHED_TASKS("unfinishedTasks"),
  /** Megabytes of the files of these jobs. */
  UNFINISHED_FILES("unfinishedFilesMB");

  private final String label;

  Limit(String label) {
    this.label = label;
  }

  /** As the API, the database and the settings write it. */
  public String label() {
    return label;
  }
}
