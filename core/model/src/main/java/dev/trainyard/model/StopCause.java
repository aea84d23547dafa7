package dev.trainyard.model;

/** Reason why a stop of a running task or job was requested. */
public enum StopCause {
  USER,
  /** The outcome is decided; the remaining tasks are stopped. */
  COMPLETION,
  PREEMPTION,
  WALL_TIME,
  IDLE,
  /** The attempt failed; the remaining tasks are stopped before the next attempt. */
  RETRY,
  /** The owner pauses the job. */
  PAUSE
}
