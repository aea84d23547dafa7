package dev.trainyard.model;

/** Why a running task or job was asked to end. */
public enum StopCause {
  USER,
  COMPLETION,
  PREEMPTION,
  WALL_TIME,
  IDLE,
  RETRY
}
