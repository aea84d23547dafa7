package dev.trainyard.jobfile.dockerfile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses JSON lists of texts. */
final class JsonTexts {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonTexts() {}

  /**
   * Returns the texts; empty for anything else: a text that only resembles such a list is a shell
   * command.
   */
  static Optional<List<String>> read(String text) {
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        return Optional.empty();
      }
      List<String> texts = new ArrayList<>();
      JsonToken token = parser.nextToken();
      while (token == JsonToken.VALUE_STRING) {
        texts.add(parser.getText());
        token = parser.nextToken();
      }
      boolean whole = token == JsonToken.END_ARRAY && parser.nextToken() == null;
      return whole ? Optional.of(texts) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
