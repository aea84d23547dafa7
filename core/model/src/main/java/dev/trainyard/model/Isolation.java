package dev.trainyard.model;

/**
 * What an engine keeps apart between a task and the rest of the machine, said openly.
 *
 * @param systemCalls PRIVATE if tasks run under a filter of system calls, otherwise NONE
 */
public record Isolation(
    Level files, Level processes, Level network, Level limits, Level systemCalls) {
  /** Creates the isolation of an engine that does not filter system calls. */
  public Isolation(Level files, Level processes, Level network, Level limits) {
    this(files, processes, network, limits, Level.NONE);
  }

  /** How far apart. */
  public enum Level {
    /** The task sees and may use the machine's own. */
    NONE,
    /** Tasks share one that is not the machine's. */
    SHARED,
    /** The task has its own. */
    PRIVATE
  }
}
