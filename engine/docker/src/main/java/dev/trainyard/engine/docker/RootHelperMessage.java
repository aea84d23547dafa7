package dev.trainyard.engine.docker;

import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A request to the keeper, or its answer: one line of words, in which nothing can end a word. */
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

  /** Throws what the other side threw. */
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
      default -> throw new IOException("the keeper says " + answer);
    }
  }
}
