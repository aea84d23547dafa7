package dev.trainyard.jobfile;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.trainyard.model.Message;
import java.util.List;

/**
 * Creates readable messages for JSON syntax errors, based on the character at which the parser
 * stopped.
 */
final class JsonErrorMessages {
  private JsonErrorMessages() {}

  static void tell(String text, JsonProcessingException failure, Problems problems) {
    JsonLocation location = failure.getLocation();
    long offset = location == null ? 0 : location.getCharOffset();
    int at = startOfWord(text, Math.clamp(offset, 0, text.length()));
    if (failure instanceof JsonEOFException || at == text.length()) {
      problems.add("", placeOf(text, text.length()), Message.of("jobfile.json-end"));
      return;
    }
    problems.add("", placeOf(text, at), message(text, at));
  }

  /** The parser consumes these two tokens completely before it reports them. */
  private static int startOfWord(String text, int at) {
    for (String word : List.of("NaN", "Infinity")) {
      if (text.startsWith(word, at - word.length())) {
        return at - word.length();
      }
    }
    return at;
  }

  private static Message message(String text, int at) {
    char found = text.charAt(at);
    char before = lastBefore(text, at);
    String shown = Excerpt.of(text.substring(at, at + Character.charCount(text.codePointAt(at))));
    if (found < ' ') {
      return Message.of("jobfile.json-control");
    } else if (found == '/' || found == '#') {
      return Message.of("jobfile.json-comment");
    } else if (found == '\'' || found == '“' || found == '”') {
      return Message.of("jobfile.json-quotes", "found", shown);
    } else if ((found == '}' || found == ']') && before == ',') {
      return Message.of("jobfile.json-comma", "found", shown);
    } else if ((found == '"' || found == '{' || found == '[') && before != ',' && before != ':') {
      return Message.of("jobfile.json-comma-missing", "found", shown);
    }
    return Message.of("jobfile.json", "found", shown);
  }

  private static char lastBefore(String text, int at) {
    int last = at - 1;
    while (last >= 0 && Character.isWhitespace(text.charAt(last))) {
      last--;
    }
    return last < 0 ? '{' : text.charAt(last);
  }

  /** Counts lines like the parser does: each of CR, LF and CR LF ends a line. */
  private static Located.Place placeOf(String text, int at) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < at; i++) {
      char character = text.charAt(i);
      boolean crBeforeLf = character == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
      if (character == '\n' || (character == '\r' && !crBeforeLf)) {
        line++;
        lineStart = i + 1;
      }
    }
    return new Located.Place(line, at - lineStart + 1);
  }
}
