package dev.trainyard.model;

/** Why an attempt was made. */
public enum AttemptCause {
  FIRST,
  /** The one before failed, and the job wants to be tried again. */
  FAILURE,
  /** The one before was lost by the platform, which is not counted. */
  PLATFORM_FAULT,
  /** In the one before, a task failed that its role wants to be tried again. */
  TASK_FAILURE,
  /** The one before wanted what somebody else had, which is not counted at first. */
  CONFLICT,
  /** The job wants to be run again and again, whatever its end. */
  ALWAYS,
  /** The job had been put aside. */
  RESUME,
  /** The one before had to make room. */
  PREEMPTION
}
