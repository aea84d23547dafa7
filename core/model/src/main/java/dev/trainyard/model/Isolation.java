package dev.trainyard.model;

/**
 * The isolation that an engine provides between a task and the rest of the node.
 *
 * @param systemCalls PRIVATE if tasks run under a filter of system calls, otherwise NONE
 */
public record Isolation(
    Level files, Level processes, Level network, Level limits, Level systemCalls) {
  /** Creates the isolation of an engine that does not filter system calls. */
  public Isolation(Level files, Level processes, Level network, Level limits) {
    this(files, processes, network, limits, Level.NONE);
  }

  /** Degree of isolation. */
  public enum Level {
    /** The task can see and use the resources of the host. */
    NONE,
    /** Tasks share resources that are separate from those of the host. */
    SHARED,
    /** The task has its own resources. */
    PRIVATE
  }
}
