package dev.trainyard.model;

/** A task's states, always in this order; some may be skipped. */
public enum TaskState {
  /** Has its node and devices. */
  ASSIGNED,
  /** The engine was told to start it. */
  STARTING,
  RUNNING,
  STOPPING,
  /** Over, with exit code and reason. */
  ENDED;

  public boolean canBecome(TaskState next) {
    return next.compareTo(this) > 0;
  }
}
