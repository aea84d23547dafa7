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
 * @param refusal whether a retry would fail with the same message
 */
record DockerProblem(String words, boolean refusal) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST = 600;

  /** Messages of the engine and its runtimes for an invalid container. */
  private static final List<String> REFUSALS =
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

  private static final Pattern CHAINED =
      Pattern.compile("(OCI runtime \\w+ failed|failed to create shim( task)?): ");
  private static final Pattern CONTAINER = Pattern.compile("\\b[0-9a-f]{64}\\b");

  static DockerProblem of(Exception e) {
    String words = words(e);
    boolean refusal = e instanceof DockerException && REFUSALS.stream().anyMatch(words::contains);
    return new DockerProblem(words, refusal);
  }

  /** Extracts the message; Docker's own responses contain it as JSON. */
  private static String words(Exception e) {
    String message = String.valueOf(e.getMessage());
    int brace = message.indexOf('{');
    if (brace >= 0) {
      try {
        message = JSON.readTree(message.substring(brace)).path("message").asText(message);
      } catch (JsonProcessingException notJson) {
        // not JSON; used as it is
      }
    }
    String text = CHAINED.matcher(message).replaceAll("");
    text = CONTAINER.matcher(text).replaceAll("the container").replaceAll("\\s+", " ").strip();
    return text.substring(0, Math.min(LONGEST, text.length()));
  }

  EngineException exception(String what, Exception cause) {
    String text = what + ": " + words;
    return refusal ? new EngineException(text) : new EngineException(text, cause);
  }
}
