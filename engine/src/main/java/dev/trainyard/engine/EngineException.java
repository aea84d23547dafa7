package dev.trainyard.engine;

/** The engine could not do what it was told; the message is fit for the job's owner. */
public final class EngineException extends RuntimeException {
  public EngineException(String message) {
    super(message);
  }

  public EngineException(String message, Throwable cause) {
    super(message, cause);
  }
}
