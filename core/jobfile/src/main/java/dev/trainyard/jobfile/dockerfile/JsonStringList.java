package dev.trainyard.jobfile.dockerfile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses JSON lists of strings. */
final class JsonStringList {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonStringList() {}

  /**
   * Returns the strings of the list; empty if the text is not such a list, in which case Docker
   * treats it as a shell command.
   */
  static Optional<List<String>> read(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        return Optional.empty();
      }
      List<String> strings = new ArrayList<>();
      JsonToken token = parser.nextToken();
      while (token == JsonToken.VALUE_STRING) {
        strings.add(parser.getText());
        token = parser.nextToken();
      }
      boolean isComplete = token == JsonToken.END_ARRAY && parser.nextToken() == null;
      return isComplete ? Optional.of(strings) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
