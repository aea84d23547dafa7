package dev.trainyard.model;

import java.util.EnumSet;
import java.util.Set;

/** A job's states. Who may follow whom is written here and nowhere else. */
public enum JobState {
  /** Accepted and stored; nothing of it exists on any machine. */
  WAITING,
  /** Placed; the engine makes room, nothing of the user's has run. */
  PREPARING,
  RUNNING,
  /**
   * Asked to end; holds its resources until its last process is gone. May be asked again, by
   * somebody else or with less patience.
   */
  STOPPING,
  /** Put aside by its owner; keeps its record and its place. */
  PAUSED,
  SUCCEEDED,
  FAILED,
  STOPPED;

  private static final Set<JobState> FINAL = EnumSet.of(SUCCEEDED, FAILED, STOPPED);

  public boolean isFinal() {
    return FINAL.contains(this);
  }

  /** Whether a job in this state holds CPUs, memory and devices. */
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
