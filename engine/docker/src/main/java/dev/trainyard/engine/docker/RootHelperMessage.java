package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request to the root helper, or its response: one line of words that are encoded so that they
 * contain no separators.
 */
final class RootHelperMessage {
  static final String READY = "ready";
  private static final String DONE = "done";
  private static final String REFUSED = "refused";
  private static final String PASSING = "passing";
  private static final String FAILED = "failed";

  private RootHelperMessage() {}

  static String of(List<String> words) {
    return words.stream()
        .map(word -> URLEncoder.encode(word, StandardCharsets.UTF_8))
        .collect(Collectors.joining(" "));
  }

  static List<String> words(String line) {
    return Arrays.stream(line.split(" ", -1))
        .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
        .toList();
  }

  static String done() {
    return DONE;
  }

  static String failure(Exception e) {
    String kind = FAILED;
    if (e instanceof EngineException refusal) {
      kind = refusal.isPassing() ? PASSING : REFUSED;
    }
    return of(List.of(kind, String.valueOf(e.getMessage())));
  }

  /** Throws the exception that the other side reported. */
  static void check(String answer) throws IOException {
    List<String> words = words(answer);
    String detail = words.size() > 1 ? words.get(1) : "";
    switch (words.getFirst()) {
      case DONE -> {
        return;
      }
      case REFUSED -> throw new EngineException(detail);
      case PASSING -> throw EngineException.passing(detail);
      case FAILED -> throw new IOException(detail);
      default -> throw new IOException("unexpected response of the root helper: " + answer);
    }
  }
}
