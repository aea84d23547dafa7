package dev.trainyard.engine.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.exception.DockerException;
import dev.trainyard.engine.EngineException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An error message of Docker in a form that can be shown to a job's owner.
 *
 * @param permanent whether a retry would fail with the same message
 */
record DockerProblem(String message, boolean permanent) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_LENGTH = 600;

  /** Parts of messages with which the engine and its runtimes reject an invalid container. */
  private static final List<String> PERMANENT_MESSAGES =
      List.of(
          "could not select device driver",
          "error gathering device information",
          "no such device",
          "container create: stat /dev/",
          "exec format error",
          "not a directory",
          "is not a directory",
          "unknown or invalid runtime name",
          "invalid mount config",
          "uids and gids must be in range",
          "unable to find user",
          "unable to find group",
          "no matching entries in passwd file",
          "conflicting options",
          "cyclic symlink",
          "nvidia-container-cli");

  private static final Pattern WRAPPER_PREFIX =
      Pattern.compile("(OCI runtime \\w+ failed|failed to create shim( task)?): ");
  private static final Pattern CONTAINER_ID = Pattern.compile("\\b[0-9a-f]{64}\\b");

  static DockerProblem of(Exception e) {
    String message = extractMessage(e);
    boolean permanent =
        e instanceof DockerException && PERMANENT_MESSAGES.stream().anyMatch(message::contains);
    return new DockerProblem(message, permanent);
  }

  /** Returns the message of an exception; a response of Docker contains it as JSON. */
  private static String extractMessage(Exception e) {
    String message = String.valueOf(e.getMessage());
    int brace = message.indexOf('{');
    if (brace >= 0) {
      try {
        message = JSON.readTree(message.substring(brace)).path("message").asText(message);
      } catch (JsonProcessingException notJson) {
        // The message is not JSON and is used as it is.
      }
    }
    String text = WRAPPER_PREFIX.matcher(message).replaceAll("");
    text = CONTAINER_ID.matcher(text).replaceAll("the container").replaceAll("\\s+", " ").strip();
    return text.substring(0, Math.min(MAX_LENGTH, text.length()));
  }

  EngineException toException(String operation, Exception cause) {
    String text = operation + ": " + message;
    return permanent ? new EngineException(text) : new EngineException(text, cause);
  }
}
