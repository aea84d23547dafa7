package dev.trainyard.jobfile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
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
 * Parses JSON into {@link DocumentValue}s. Accepts the comments of JavaScript, which many job files
 * of OpenPAI contain; rejects trailing commas and duplicate fields.
 */
final class JsonDocument {
  static final int MAX_DEPTH = 50;

  /** Maximum length of a field name, also in YAML. */
  static final int MAX_NAME_LENGTH = 10_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH + 2)
                  .maxNumberLength(400)
                  .maxNameLength(MAX_NAME_LENGTH)
                  .maxStringLength(JobFiles.MAX_LENGTH)
                  .build())
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          // Field names are untrusted, so they are not cached beyond this document.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final JsonParser parser;
  private final Problems problems;
  private final Map<String, Document.Span> tables = new HashMap<>();
  private final List<Document.MaskableText> maskableTexts = new ArrayList<>();

  private JsonDocument(JsonParser parser, Problems problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /** Returns the document; reports a problem and returns empty if the text is not valid JSON. */
  static Optional<Document> read(String text, Problems problems) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      JsonDocument document = new JsonDocument(parser, problems);
      try {
        DocumentValue root = document.readDocument();
        return Optional.of(new Document(root, document.tables, document.maskableTexts));
      } catch (TooDeepException e) {
        problems.add("", e.position, Message.of("jobfile.too-deep", "limit", MAX_DEPTH));
      } catch (StreamConstraintsException e) {
        problems.add("", positionOf(parser.currentLocation()), Message.of("jobfile.json-limit"));
      } catch (JsonProcessingException e) {
        JsonErrorMessages.report(text, e, problems);
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: reading from a string does no I/O
    }
  }

  private DocumentValue readDocument() throws IOException {
    parser.nextToken();
    DocumentValue value = readValue("", 0);
    if (parser.nextToken() != null) {
      problems.add("", currentPosition(), Message.of("jobfile.json-trailing"));
    }
    return value;
  }

  private DocumentValue readValue(String path, int depth) throws IOException {
    DocumentValue.Position position = currentPosition();
    if (depth > MAX_DEPTH) {
      throw new TooDeepException(position);
    }
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> readTable(path, depth, position);
      case START_ARRAY -> readItems(path, depth, position);
      case VALUE_STRING -> new DocumentValue.Text(parser.getText(), position);
      case VALUE_NUMBER_INT -> new DocumentValue.Numeral(parser.getText(), true, position);
      case VALUE_NUMBER_FLOAT -> new DocumentValue.Numeral(parser.getText(), false, position);
      case VALUE_TRUE, VALUE_FALSE ->
          new DocumentValue.Bool(token == JsonToken.VALUE_TRUE, position);
      case VALUE_NULL -> new DocumentValue.Null(position);
      case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
          throw new IllegalStateException("unexpected token " + token);
    };
  }

  private DocumentValue readTable(String path, int depth, DocumentValue.Position position)
      throws IOException {
    Map<String, DocumentValue> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String fieldPath = DocumentPaths.field(path, name);
      DocumentValue.Position namePosition = currentPosition();
      parser.nextToken();
      long start = parser.currentTokenLocation().getCharOffset();
      DocumentValue value = readValue(fieldPath, depth + 1);
      int end = (int) parser.currentLocation().getCharOffset();
      if (depth == 0 && Document.isMaskable(name)) {
        tables.put(name, new Document.Span((int) start, end));
      }
      if (name.equals(Document.PASSWORD) && value instanceof DocumentValue.Text text) {
        maskableTexts.add(
            new Document.MaskableText(text.value(), "", new Document.Span((int) start, end)));
      }
      if (fields.putIfAbsent(name, value) != null) {
        Message duplicateMessage = Message.of("jobfile.duplicate-field", "name", Excerpt.of(name));
        problems.add(fieldPath, namePosition, duplicateMessage);
      }
    }
    return new DocumentValue.Table(fields, position);
  }

  private DocumentValue readItems(String path, int depth, DocumentValue.Position position)
      throws IOException {
    List<DocumentValue> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(readValue(DocumentPaths.item(path, values.size()), depth + 1));
    }
    return new DocumentValue.Items(values, position);
  }

  private DocumentValue.Position currentPosition() {
    return positionOf(parser.currentTokenLocation());
  }

  private static DocumentValue.Position positionOf(JsonLocation location) {
    return new DocumentValue.Position(location.getLineNr(), location.getColumnNr());
  }

  private static final class TooDeepException extends RuntimeException {
    private final transient DocumentValue.Position position;

    TooDeepException(DocumentValue.Position position) {
      this.position = position;
    }
  }
}
