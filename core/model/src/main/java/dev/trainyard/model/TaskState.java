package dev.trainyard.model;

/** The states of a task, always in this order; states may be skipped. */
public enum TaskState {
  /** A node and devices are assigned. */
  ASSIGNED,
  /** The engine was asked to start the task. */
  STARTING,
  RUNNING,
  STOPPING,
  /** Finished, with exit code and reason. */
  ENDED;

  public boolean canBecome(TaskState next) {
    return next.compareTo(this) > 0;
  }
}
