package dev.trainyard.model;

/** Reason for which an attempt was created. */
public enum AttemptCause {
  FIRST,
  /** The previous attempt failed, and the job's retry count allows another attempt. */
  FAILURE,
  /**
   * The previous attempt was lost because of a platform failure; such failures do not count toward
   * the retry limit.
   */
  PLATFORM_FAULT,
  /**
   * In the previous attempt a task failed, and the retry count of its role allows another attempt.
   */
  TASK_FAILURE,
  /**
   * The previous attempt failed because of a resource conflict with another job. The first few
   * consecutive conflicts do not count toward the retry limit.
   */
  CONFLICT,
  /** The job is configured to run again after every end, successful or not. */
  ALWAYS,
  /** The job was paused and resumed. */
  RESUME,
  /** The previous attempt was preempted. */
  PREEMPTION
}
