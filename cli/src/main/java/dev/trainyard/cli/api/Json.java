package dev.trainyard.cli.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON value as maps, lists, strings, numbers and booleans. A missing field reads as an empty
 * value, for compatibility with older and newer servers.
 */
public record Json(Object value) {
  // Field names are not cached because users choose some of them, such as names of parameters, so
  // any number of different names must be readable.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  public static Json parse(byte[] text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      return new Json(read(parser));
    }
  }

  private static Object read(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return null;
    }
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          fields.put(name, read(parser));
        }
        yield fields;
      }
      case START_ARRAY -> {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(read(parser));
        }
        yield items;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  /** Returns compact JSON on one line. */
  public String text() {
    return write(false);
  }

  /** Returns indented JSON. */
  public String pretty() {
    return write(true);
  }

  private String write(boolean indented) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      if (indented) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        generator.setPrettyPrinter(printer);
      }
      write(generator, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator generator, Object value) throws IOException {
    switch (value) {
      case null -> generator.writeNull();
      case Map<?, ?> fields -> {
        generator.writeStartObject();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
          generator.writeFieldName(String.valueOf(field.getKey()));
          write(generator, field.getValue());
        }
        generator.writeEndObject();
      }
      case List<?> items -> {
        generator.writeStartArray();
        for (Object item : items) {
          write(generator, item);
        }
        generator.writeEndArray();
      }
      case Boolean flag -> generator.writeBoolean(flag);
      case Number number -> generator.writeNumber(number.toString());
      default -> generator.writeString(value.toString());
    }
  }

  public Json at(String name) {
    return new Json(value instanceof Map<?, ?> fields ? fields.get(name) : null);
  }

  public boolean isPresent() {
    return value != null;
  }

  public Optional<String> find(String name) {
    Object fieldValue = at(name).value;
    return fieldValue == null ? Optional.empty() : Optional.of(String.valueOf(fieldValue));
  }

  /** Returns the field as text, empty if it is missing. */
  public String string(String name) {
    return find(name).orElse("");
  }

  public Optional<Long> findLong(String name) {
    return at(name).value instanceof Number number
        ? Optional.of(number.longValue())
        : Optional.empty();
  }

  public long number(String name) {
    return findLong(name).orElse(0L);
  }

  public double decimal(String name) {
    return at(name).value instanceof Number number ? number.doubleValue() : 0;
  }

  public boolean isTrue(String name) {
    return Boolean.TRUE.equals(at(name).value);
  }

  public List<Json> list(String name) {
    return at(name).value instanceof List<?> items
        ? items.stream().map(item -> new Json(item)).toList()
        : List.of();
  }

  /** Returns the fields of an object, without null values. */
  public Map<String, Object> fields() {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> fields) {
      fields.forEach((name, field) -> copy.put(String.valueOf(name), field));
    }
    copy.values().removeIf(field -> field == null);
    return copy;
  }
}
