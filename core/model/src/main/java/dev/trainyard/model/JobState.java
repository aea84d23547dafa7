package dev.trainyard.model;

import java.util.EnumSet;
import java.util.Set;

/** The states of a job. This is the only place that defines the allowed transitions. */
public enum JobState {
  /** Accepted and stored; nothing of it exists on any node. */
  WAITING,
  /** Placed; the engine prepares the tasks, and the user's program has not run. */
  PREPARING,
  RUNNING,
  /**
   * Asked to stop; uses its resources until its last process has ended. Can be asked again, by
   * another user or with a shorter grace period.
   */
  STOPPING,
  /** Paused by its owner; keeps its record and its queue position. */
  PAUSED,
  SUCCEEDED,
  FAILED,
  STOPPED;

  private static final Set<JobState> FINAL = EnumSet.of(SUCCEEDED, FAILED, STOPPED);

  public boolean isFinal() {
    return FINAL.contains(this);
  }

  /** Returns whether a job in this state uses CPUs, memory and devices. */
  public boolean holdsResources() {
    return this == PREPARING || this == RUNNING || this == STOPPING;
  }

  public boolean canBecome(JobState next) {
    return followers().contains(next);
  }

  private Set<JobState> followers() {
    return switch (this) {
      case WAITING -> EnumSet.of(PREPARING, PAUSED, STOPPED, FAILED);
      case PREPARING -> EnumSet.of(RUNNING, STOPPING, WAITING, SUCCEEDED, FAILED, STOPPED);
      case RUNNING -> EnumSet.of(STOPPING, WAITING, SUCCEEDED, FAILED, STOPPED);
      case STOPPING -> EnumSet.of(STOPPING, STOPPED, FAILED, SUCCEEDED, PAUSED, WAITING);
      case PAUSED -> EnumSet.of(WAITING, STOPPED);
      case SUCCEEDED, FAILED, STOPPED -> EnumSet.noneOf(JobState.class);
    };
  }
}
