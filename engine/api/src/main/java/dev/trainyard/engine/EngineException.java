package dev.trainyard.engine;

/**
 * The engine failed to perform an operation. The message can be shown to the job's owner. A
 * transient failure (disk full, out of memory, a service that does not respond) may succeed on
 * retry; any other failure is a rejection, which a retry does not change.
 */
public final class EngineException extends RuntimeException {
  private final boolean isTransient;

  /** Creates a rejection: the engine cannot run the task as specified. */
  public EngineException(String message) {
    this(message, null, false);
  }

  /** Creates a transient failure, caused by something that the engine depends on. */
  public EngineException(String message, Throwable cause) {
    this(message, cause, true);
  }

  private EngineException(String message, Throwable cause, boolean isTransient) {
    super(message, cause);
    this.isTransient = isTransient;
  }

  /** Creates a transient failure that has no other exception as its cause. */
  public static EngineException passing(String message) {
    return new EngineException(message, null, true);
  }

  /** Returns whether the failure is transient, so that a retry may succeed. */
  public boolean isPassing() {
    return isTransient;
  }
}
