package dev.trainyard.jobfile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses JSON into located values. Strict: no comments, no trailing commas, no duplicate fields.
 */
final class JsonDocument {
  static final int MAX_DEPTH = 50;

  /** Maximum length of a field name, also in YAML. */
  static final int MAX_NAME = 10_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH + 2)
                  .maxNumberLength(400)
                  .maxNameLength(MAX_NAME)
                  .maxStringLength(JobFiles.MAX_LENGTH)
                  .build())
          // Field names are untrusted: they are neither shared nor kept beyond this document.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final JsonParser parser;
  private final Problems problems;
  private final Map<String, Document.Span> tables = new HashMap<>();
  private final List<Document.Word> words = new ArrayList<>();

  private JsonDocument(JsonParser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /** Returns the document; empty, with one problem reported, if the text is not valid JSON. */
  static Optional<Document> read(String text, Problems problems) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      JsonDocument document = new JsonDocument(parser, problems);
      try {
        Located root = document.whole();
        return Optional.of(new Document(root, document.tables, document.words));
      } catch (TooDeepException e) {
        problems.add("", e.place, Message.of("jobfile.too-deep", "limit", MAX_DEPTH));
      } catch (StreamConstraintsException e) {
        problems.add("", placeOf(parser.currentLocation()), Message.of("jobfile.json-limit"));
      } catch (JsonProcessingException e) {
        JsonErrorMessages.tell(text, e, problems);
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: reading from a string does no I/O
    }
  }

  private Located whole() throws IOException {
    parser.nextToken();
    Located value = value("", 0);
    if (parser.nextToken() != null) {
      problems.add("", here(), Message.of("jobfile.json-trailing"));
    }
    return value;
  }

  private Located value(String path, int depth) throws IOException {
    Located.Place place = here();
    if (depth > MAX_DEPTH) {
      throw new TooDeepException(place);
    }
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> table(path, depth, place);
      case START_ARRAY -> items(path, depth, place);
      case VALUE_STRING -> new Located.Text(parser.getText(), place);
      case VALUE_NUMBER_INT -> new Located.Numeral(parser.getText(), true, place);
      case VALUE_NUMBER_FLOAT -> new Located.Numeral(parser.getText(), false, place);
      case VALUE_TRUE, VALUE_FALSE -> new Located.Truth(token == JsonToken.VALUE_TRUE, place);
      case VALUE_NULL -> new Located.Nothing(place);
      case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("unexpected token " + token);
    };
  }

  private Located table(String path, int depth, Located.Place place) throws IOException {
    Map<String, Located> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String fieldPath = Paths.field(path, name);
      Located.Place namePlace = here();
      parser.nextToken();
      long start = parser.currentTokenLocation().getCharOffset();
      Located value = value(fieldPath, depth + 1);
      int end = (int) parser.currentLocation().getCharOffset();
      if (depth == 0 && Document.isMaskable(name)) {
        tables.put(name, new Document.Span((int) start, end));
      }
      if (name.equals(Document.PASSWORD) && value instanceof Located.Text text) {
        words.add(new Document.Word(text.value(), "", new Document.Span((int) start, end)));
      }
      if (fields.putIfAbsent(name, value) != null) {
        Message twice = Message.of("jobfile.duplicate-field", "name", Excerpt.of(name));
        problems.add(fieldPath, namePlace, twice);
      }
    }
    return new Located.Table(fields, place);
  }

  private Located items(String path, int depth, Located.Place place) throws IOException {
    List<Located> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(value(Paths.item(path, values.size()), depth + 1));
    }
    return new Located.Items(values, place);
  }

  private Located.Place here() {
    return placeOf(parser.currentTokenLocation());
  }

  private static Located.Place placeOf(JsonLocation location) {
    return new Located.Place(location.getLineNr(), location.getColumnNr());
  }

  private static final class TooDeepException extends RuntimeException {
    private final transient Located.Place place;

    TooDeepException(Located.Place place) {
      this.place = place;
    }
  }
}
