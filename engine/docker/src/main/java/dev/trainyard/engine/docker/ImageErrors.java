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
 * unreachable registry, because both are 500, so the text decides.
 */
final class ImageErrors {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MOST = 300;

  private static final Pattern BAD_NAME =
      words("invalid reference format", "repository name", "must be lowercase");
  private static final Pattern NO_ROOM = words("no space left on device");

  /** Checked before the next ones, because Docker Hub reports a missing image as denied. */
  private static final Pattern UNKNOWN =
      words(
          "manifest unknown",
          "name unknown",
          "no matching manifest",
          "repository does not exist",
          "does not exist or may require",
          "no such image",
          "not found: does not exist");

  /** Checked before registry messages, because addresses and ports may look like them. */
  private static final Pattern UNREACHABLE =
      words(
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

  private static final Pattern LOGIN =
      words(
          "no basic auth credentials",
          "unauthorized",
          "authentication required",
          "incorrect username or password",
          "denied",
          "403 forbidden");

  /** Docker quotes responses that do not come from a registry; they may come from any server. */
  private static final Pattern FOREIGN_ANSWER =
      Pattern.compile("(?is)(error parsing HTTP \\d+ response body).*");

  private ImageErrors() {}

  static ImageException of(RuntimeException e) {
    if (e instanceof BadRequestException) {
      return new ImageException(Kind.BAD_NAME, text(e), e);
    }
    if (e instanceof ConflictException) {
      return new ImageException(Kind.IN_USE, text(e), e);
    }
    if (!(e instanceof DockerException) && hasCause(e, IOException.class)) {
      return new ImageException(Kind.ENGINE_ABSENT, text(e), e);
    }
    Kind kind = kind(text(e));
    boolean nowhere = kind == Kind.OTHER && e instanceof NotFoundException;
    return new ImageException(nowhere ? Kind.UNKNOWN_IMAGE : kind, text(e), e);
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
  static ImageException of(String said) {
    return new ImageException(kind(said), brief(said));
  }

  static Kind kind(String said) {
    String text = said.toLowerCase(Locale.ROOT);
    if (BAD_NAME.matcher(text).find()) {
      return Kind.BAD_NAME;
    }
    if (NO_ROOM.matcher(text).find()) {
      return Kind.NO_ROOM;
    }
    if (UNKNOWN.matcher(text).find()) {
      return Kind.UNKNOWN_IMAGE;
    }
    if (UNREACHABLE.matcher(text).find()) {
      return Kind.UNREACHABLE;
    }
    return LOGIN.matcher(text).find() ? Kind.LOGIN_REFUSED : Kind.OTHER;
  }

  /** Matches whole words that are not part of an image name or an address. */
  private static Pattern words(String... phrases) {
    String any = Arrays.stream(phrases).map(Pattern::quote).collect(Collectors.joining("|"));
    return Pattern.compile("(?<![a-z0-9_./-])(?:" + any + ")(?![a-z0-9_/-])");
  }

  /** Extracts the message that the library wraps as {@code Status 404: {"message":"…"}}. */
  private static String text(RuntimeException e) {
    String all = String.valueOf(e.getMessage());
    int brace = all.indexOf('{');
    if (all.startsWith("Status ") && brace > 0) {
      try {
        return brief(JSON.readTree(all.substring(brace)).path("message").asText(all));
      } catch (JsonProcessingException notJson) {
        return brief(all);
      }
    }
    return brief(all);
  }

  private static String brief(String text) {
    String own = FOREIGN_ANSWER.matcher(text).replaceFirst("$1");
    String line = own.strip().replaceAll("\\s+", " ");
    return line.length() <= MOST ? line : line.substring(0, MOST) + "…";
  }
}
