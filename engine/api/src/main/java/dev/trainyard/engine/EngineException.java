package dev.trainyard.engine;

import dev.trainyard.model.Message;
import java.util.Optional;

/**
 * The engine failed to perform an operation. The message can be shown to the job's owner. A
 * transient failure (disk full, out of memory, a service that does not respond) may succeed on
 * retry; any other failure is a rejection, which a retry does not change.
 */
public final class EngineException extends RuntimeException {
  private final boolean isTransient;
  private final transient Optional<Message> userMessage;

  /** Creates a rejection: the engine cannot run the task as specified. */
  public EngineException(String message) {
    this(message, null, false, Optional.empty());
  }

  /** Creates a transient failure, caused by something that the engine depends on. */
  public EngineException(String message, Throwable cause) {
    this(message, cause, true, Optional.empty());
  }

  private EngineException(
      String message, Throwable cause, boolean isTransient, Optional<Message> userMessage) {
    super(message, cause);
    this.isTransient = isTransient;
    this.userMessage = userMessage;
  }

  /** Creates a transient failure that has no other exception as its cause. */
  public static EngineException transientFailure(String message) {
    return new EngineException(message, null, true, Optional.empty());
  }

  /** Creates a transient failure whose message is available in every language. */
  public static EngineException transientFailure(Message message) {
    return new EngineException(message.english(), null, true, Optional.of(message));
  }

  /** Creates a rejection whose message is available in every language. */
  public static EngineException rejection(Message message) {
    return new EngineException(message.english(), null, false, Optional.of(message));
  }

  /** Returns the message in every language; empty if it is available in English only. */
  public Optional<Message> userMessage() {
    return userMessage;
  }

  /** Returns whether the failure is transient, so that a retry may succeed. */
  public boolean isTransient() {
    return isTransient;
  }
}
