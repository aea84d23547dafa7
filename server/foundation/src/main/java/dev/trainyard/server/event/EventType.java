package dev.trainyard.server.event;

/** Type of an event of a job. The names are stored and part of the API. */
public enum EventType {
  SUBMITTED,
  /** A warning to the user who submitted the job. */
  WARNING,
  /**
   * The job has been waiting for some time. Reported once per attempt, with the reason at that
   * time.
   */
  WAITING,
  PREPARING,
  /** An image that the job needs is being pulled, or could not be pulled. */
  PULLING,
  RUNNING,
  TASK_STARTED,
  TASK_ENDED,
  /** The job is being stopped, by a user or because its completion condition is met. */
  STOPPING,
  /** An attempt has finished, and another attempt follows. */
  RETRYING,
  PAUSED,
  RESUMED,
  SUCCEEDED,
  FAILED,
  STOPPED,
  /** The job was deleted. This is the only event that remains of it. */
  DELETED
}
