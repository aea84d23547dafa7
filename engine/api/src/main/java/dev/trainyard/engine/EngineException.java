package dev.trainyard.engine;

/**
 * The engine could not do what it was told; the message is fit for the job's owner. Passing trouble
 * (no room on the disk, no memory, a service that does not answer) may be over the next time;
 * everything else is a refusal, which stays the same however often it is tried.
 */
public final class EngineException extends RuntimeException {
  private final boolean passing;

  /** A refusal: this task as it is written can't be had here. */
  public EngineException(String message) {
    this(message, null, false);
  }

  /** Passing trouble: something below the engine failed. */
  public EngineException(String message, Throwable cause) {
    this(message, cause, true);
  }

  private EngineException(String message, Throwable cause, boolean passing) {
    super(message, cause);
    this.passing = passing;
  }

  /** Passing trouble that no other exception tells of. */
  public static EngineException passing(String message) {
    return new EngineException(message, null, true);
  }

  /** Whether it may work the next time. */
  public boolean isPassing() {
    return passing;
  }
}
