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
 * Encodes and decodes requests to the root helper and its responses: each is one line of fields,
 * which are encoded so that they contain no separators.
 */
final class RootHelperMessage {
  static final String READY = "ready";
  private static final String DONE = "done";
  private static final String REFUSED = "refused";
  private static final String PASSING = "passing";
  private static final String FAILED = "failed";

  private RootHelperMessage() {}

  static String encode(List<String> fields) {
    return fields.stream()
        .map(field -> URLEncoder.encode(field, StandardCharsets.UTF_8))
        .collect(Collectors.joining(" "));
  }

  static List<String> decode(String line) {
    return Arrays.stream(line.split(" ", -1))
        .map(field -> URLDecoder.decode(field, StandardCharsets.UTF_8))
        .toList();
  }

  static String success() {
    return DONE;
  }

  static String failure(Exception e) {
    String kind = FAILED;
    if (e instanceof EngineException engineException) {
      kind = engineException.isPassing() ? PASSING : REFUSED;
    }
    return encode(List.of(kind, String.valueOf(e.getMessage())));
  }

  /** Throws the exception that a response of the root helper reports, if any. */
  static void throwIfFailed(String response) throws IOException {
    List<String> fields = decode(response);
    String detail = fields.size() > 1 ? fields.get(1) : "";
    switch (fields.getFirst()) {
      case DONE -> {
        return;
      }
      case REFUSED -> throw new EngineException(detail);
      case PASSING -> throw EngineException.passing(detail);
      case FAILED -> throw new IOException(detail);
      default -> throw new IOException("unexpected response of the root helper: " + response);
    }
  }
}
