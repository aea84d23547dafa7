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
import java.util.List;
import java.util.Locale;

/**
 * What Docker means by what it says. Its codes don't tell a refused login from a registry that does
 * not answer: both are 500, so its words decide.
 */
final class ImageErrors {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MOST = 300;

  private static final List<String> BAD_NAME =
      List.of("invalid reference format", "repository name", "must be lowercase");
  private static final List<String> NO_ROOM = List.of("no space left on device");

  /** Before the next list: a hub denies what is not there. */
  private static final List<String> UNKNOWN =
      List.of(
          "manifest unknown",
          "name unknown",
          "no matching manifest",
          "repository does not exist",
          "does not exist or may require",
          "no such image",
          "not found: does not exist");

  private static final List<String> LOGIN =
      List.of(
          "no basic auth credentials",
          "unauthorized",
          "authentication required",
          "incorrect username or password",
          "denied",
          "401",
          "403 forbidden");
  private static final List<String> UNREACHABLE =
      List.of(
          "dial tcp",
          "no such host",
          "timeout",
          "deadline exceeded",
          "connection re",
          "no route to host",
          "tls",
          "x509",
          "gave http response to https client",
          "toomanyrequests",
          "service unavailable",
          "bad gateway",
          "eof");

  private ImageErrors() {}

  static ImageException of(RuntimeException e) {
    if (e instanceof BadRequestException) {
      return new ImageException(Kind.BAD_NAME, text(e), e);
    }
    if (e instanceof ConflictException) {
      return new ImageException(Kind.IN_USE, text(e), e);
    }
    if (!(e instanceof DockerException) && hasCause(e, IOException.class)) {
      return new ImageException(Kind.UNREACHABLE, "the Docker engine does not answer", e);
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

  /** Of an error that came after the transfer had begun. */
  static ImageException of(String said) {
    return new ImageException(kind(said), brief(said));
  }

  static Kind kind(String said) {
    String text = said.toLowerCase(Locale.ROOT);
    if (has(text, BAD_NAME)) {
      return Kind.BAD_NAME;
    }
    if (has(text, NO_ROOM)) {
      return Kind.NO_ROOM;
    }
    if (has(text, UNKNOWN)) {
      return Kind.UNKNOWN_IMAGE;
    }
    if (has(text, LOGIN)) {
      return Kind.LOGIN_REFUSED;
    }
    return has(text, UNREACHABLE) ? Kind.UNREACHABLE : Kind.OTHER;
  }

  private static boolean has(String text, List<String> words) {
    return words.stream().anyMatch(text::contains);
  }

  /** What the library wraps as {@code Status 404: {"message":"…"}}. */
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
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= MOST ? line : line.substring(0, MOST) + "…";
  }
}
