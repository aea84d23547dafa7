package dev.trainyard.model;

import java.util.EnumSet;
import java.util.Set;

/** The states of a job. Only this enum defines the allowed transitions. */
public enum JobState {
  /** The job is accepted and stored; no part of it exists on any node. */
  WAITING,
  /** The job is placed; the engine prepares its tasks, and the user's program has not started. */
  PREPARING,
  RUNNING,
  /**
   * A stop was requested, and the job uses its resources until its last process has ended. Another
   * stop can be requested, by another user or with a shorter grace period.
   */
  STOPPING,
  /** The owner paused the job; the job keeps its record and its queue position. */
  PAUSED,
  SUCCEEDED,
  FAILED,
  STOPPED;

  private static final Set<JobState> FINAL_STATES = EnumSet.of(SUCCEEDED, FAILED, STOPPED);

  public boolean isFinal() {
    return FINAL_STATES.contains(this);
  }

  /** Returns whether a job in this state uses CPUs, memory and devices. */
  public boolean holdsResources() {
    return this == PREPARING || this == RUNNING || this == STOPPING;
  }

  public boolean canBecome(JobState next) {
    return nextStates().contains(next);
  }

  private Set<JobState> nextStates() {
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
