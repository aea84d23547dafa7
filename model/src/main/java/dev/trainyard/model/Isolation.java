package dev.trainyard.model;

/** What an engine keeps apart between a task and the rest of the machine, said openly. */
public record Isolation(Level files, Level processes, Level network, Level limits) {
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
