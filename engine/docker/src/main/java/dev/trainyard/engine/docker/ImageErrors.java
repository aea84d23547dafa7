package dev.trainyard.engine.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.dockerjava.api.exception.BadRequestException;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.trainyard.engine.ImageException;
import dev.trainyard.engine.ImageException.Kind;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Classifies Docker's error messages. The status codes do not distinguish a rejected login from an
 * unreachable registry, because both errors have the status 500, so the text of the message
 * decides.
 */
final class ImageErrors {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_LENGTH = 300;

  private static final Pattern BAD_NAME =
      anyOf("invalid reference format", "repository name", "must be lowercase");
  private static final Pattern DISK_FULL = anyOf("no space left on device");

  /**
   * Phrases for a missing image. They are checked before the phrases for a rejected login, because
   * Docker Hub reports a missing image as denied.
   */
  private static final Pattern UNKNOWN =
      anyOf(
          "manifest unknown",
          "name unknown",
          "no matching manifest",
          "repository does not exist",
          "does not exist or may require",
          "no such image",
          "not found: does not exist");

  /**
   * Phrases for an unreachable registry. They are checked before the phrases for a rejected login,
   * because addresses and ports may look like messages of a registry.
   */
  private static final Pattern UNREACHABLE =
      anyOf(
          "dial tcp",
          "no such host",
          "timeout",
          "client.timeout",
          "deadline exceeded",
          "connection refused",
          "connection reset",
          "no route to host",
          "tls",
          "x509",
          "gave http response to https client",
          "toomanyrequests",
          "service unavailable",
          "bad gateway",
          "eof");

  private static final Pattern LOGIN_REJECTED =
      anyOf(
          "no basic auth credentials",
          "unauthorized",
          "authentication required",
          "incorrect username or password",
          "denied",
          "403 forbidden");

  /** Matches a message in which Docker quotes a response that does not come from a registry. */
  private static final Pattern FOREIGN_RESPONSE =
      Pattern.compile("(?is)(error parsing HTTP \\d+ response body).*");

  private ImageErrors() {}

  static ImageException of(RuntimeException e) {
    if (e instanceof BadRequestException) {
      return new ImageException(Kind.BAD_NAME, messageOf(e), e);
    }
    if (e instanceof ConflictException) {
      return new ImageException(Kind.IN_USE, messageOf(e), e);
    }
    if (!(e instanceof DockerException) && hasCause(e, IOException.class)) {
      return new ImageException(Kind.ENGINE_UNAVAILABLE, messageOf(e), e);
    }
    Kind kind = kind(messageOf(e));
    boolean imageNotFound = kind == Kind.OTHER && e instanceof NotFoundException;
    return new ImageException(imageNotFound ? Kind.UNKNOWN_IMAGE : kind, messageOf(e), e);
  }

  private static boolean hasCause(Throwable e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  /** Classifies an error that occurred after the transfer had begun. */
  static ImageException of(String message) {
    return new ImageException(kind(message), shorten(message));
  }

  static Kind kind(String message) {
    String text = message.toLowerCase(Locale.ROOT);
    if (BAD_NAME.matcher(text).find()) {
      return Kind.BAD_NAME;
    }
    if (DISK_FULL.matcher(text).find()) {
      return Kind.DISK_FULL;
    }
    if (UNKNOWN.matcher(text).find()) {
      return Kind.UNKNOWN_IMAGE;
    }
    if (UNREACHABLE.matcher(text).find()) {
      return Kind.UNREACHABLE;
    }
    return LOGIN_REJECTED.matcher(text).find() ? Kind.LOGIN_REFUSED : Kind.OTHER;
  }

  /** Returns a pattern for whole phrases that are not part of an image name or an address. */
  private static Pattern anyOf(String... phrases) {
    String alternatives =
        Arrays.stream(phrases).map(Pattern::quote).collect(Collectors.joining("|"));
    return Pattern.compile("(?<![a-z0-9_./-])(?:" + alternatives + ")(?![a-z0-9_/-])");
  }

  /** Extracts the message that the library wraps as {@code Status 404: {"message":"…"}}. */
  private static String messageOf(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    int brace = message.indexOf('{');
    if (message.startsWith("Status ") && brace > 0) {
      try {
        return shorten(JSON.readTree(message.substring(brace)).path("message").asText(message));
      } catch (JsonProcessingException notJson) {
        return shorten(message);
      }
    }
    return shorten(message);
  }

  private static String shorten(String text) {
    String ownText = FOREIGN_RESPONSE.matcher(text).replaceFirst("$1");
    String line = ownText.strip().replaceAll("\\s+", " ");
    return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
  }
}
