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

  static void report(String text, JsonProcessingException failure, Problems problems) {
    JsonLocation location = failure.getLocation();
    long offset = location == null ? 0 : location.getCharOffset();
    int index = tokenStart(text, Math.clamp(offset, 0, text.length()));
    if (failure instanceof JsonEOFException || index == text.length()) {
      problems.add("", positionOf(text, text.length()), Message.of("jobfile.json-end"));
      return;
    }
    problems.add("", positionOf(text, index), message(text, index));
  }

  /**
   * Returns the start of the token {@code NaN} or {@code Infinity}, which the parser reads
   * completely before it reports the error.
   */
  private static int tokenStart(String text, int index) {
    for (String token : List.of("NaN", "Infinity")) {
      if (text.startsWith(token, index - token.length())) {
        return index - token.length();
      }
    }
    return index;
  }

  private static Message message(String text, int index) {
    char character = text.charAt(index);
    char previousCharacter = findPrevious(text, index);
    String excerpt =
        Excerpt.of(text.substring(index, index + Character.charCount(text.codePointAt(index))));
    if (character < ' ') {
      return Message.of("jobfile.json-control");
    } else if (character == '/' || character == '#') {
      return Message.of("jobfile.json-comment");
    } else if (character == '\'' || character == '“' || character == '”') {
      return Message.of("jobfile.json-quotes", "found", excerpt);
    } else if ((character == '}' || character == ']') && previousCharacter == ',') {
      return Message.of("jobfile.json-comma", "found", excerpt);
    } else if ((character == '"' || character == '{' || character == '[')
        && previousCharacter != ','
        && previousCharacter != ':') {
      return Message.of("jobfile.json-comma-missing", "found", excerpt);
    }
    return Message.of("jobfile.json", "found", excerpt);
  }

  private static char findPrevious(String text, int index) {
    int previousIndex = index - 1;
    while (previousIndex >= 0 && Character.isWhitespace(text.charAt(previousIndex))) {
      previousIndex--;
    }
    return previousIndex < 0 ? '{' : text.charAt(previousIndex);
  }

  /**
   * Returns the position of a character. Counts lines like the parser: CR, LF and CR LF each end a
   * line.
   */
  private static DocumentValue.Position positionOf(String text, int index) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < index; i++) {
      char character = text.charAt(i);
      boolean crBeforeLf = character == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
      if (character == '\n' || (character == '\r' && !crBeforeLf)) {
        line++;
        lineStart = i + 1;
      }
    }
    return new DocumentValue.Position(line, index - lineStart + 1);
  }
}
