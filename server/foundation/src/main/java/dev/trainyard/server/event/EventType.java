package dev.trainyard.server.event;

/** What can happen to a job. The names are stored and part of the API. */
public enum EventType {
  SUBMITTED,
  /** Something that whoever submitted the job should know of. */
  WARNING,
  /** It has been waiting for a while; told once per attempt, with the reason at that time. */
  WAITING,
  PREPARING,
  /** An image it needs is being fetched, or could not be. */
  PULLING,
  RUNNING,
  TASK_STARTED,
  TASK_ENDED,
  /** It was told to end, by somebody or because its end is decided. */
  STOPPING,
  /** An attempt is over, and there will be another. */
  RETRYING,
  PAUSED,
  RESUMED,
  SUCCEEDED,
  FAILED,
  STOPPED,
  /** Its last event: all others went with it. */
  DELETED
}
