package dev.trainyard.model;

/** The states of a task, always in this order; states may be skipped. */
public enum TaskState {
  /** A node and devices are assigned. */
  ASSIGNED,
  /** The engine was asked to start the task. */
  STARTING,
  RUNNING,
  STOPPING,
  /** The task has ended, with an exit code and a reason. */
  ENDED;

  public boolean canBecome(TaskState next) {
    return next.compareTo(this) > 0;
  }
}
