package dev.trainyard.model;

/** Why a running task or job was asked to end. */
public enum StopCause {
  USER,
  /** Its end is decided, what is left of it has to go. */
  COMPLETION,
  PREEMPTION,
  WALL_TIME,
  IDLE,
  /** It failed, what is left of it has to go, and then it starts again. */
  RETRY,
  /** Its owner puts it aside. */
  PAUSE
}
