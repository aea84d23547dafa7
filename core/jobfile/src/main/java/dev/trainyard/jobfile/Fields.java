package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads the fields of one object and reports their problems. Methods return empty for an invalid
 * field and the default for an absent field.
 */
final class Fields {
  private final DocumentValue.Table table;
  private final String path;
  private final Problems problems;
  private final Set<String> knownNames = new LinkedHashSet<>();

  Fields(DocumentValue.Table table, String path, Problems problems) {
    this.table = table;
    this.path = path;
    this.problems = problems;
  }

  String path(String name) {
    return DocumentPaths.field(path, name);
  }

  /** Returns the position of the field's value or, if it is absent, of the object. */
  DocumentValue.Position positionOf(String name) {
    return table.fields().getOrDefault(name, table).position();
  }

  /** Returns the raw value and marks this name as known. */
  Optional<DocumentValue> find(String name) {
    knownNames.add(name);
    return Optional.ofNullable(table.fields().get(name));
  }

  /** Returns the raw value of a required field. */
  Optional<DocumentValue> require(String name) {
    Optional<DocumentValue> value = find(name);
    if (value.isEmpty()) {
      problems.add(path(name), table, Message.of("jobfile.missing", "name", name));
    }
    return value;
  }

  /** Returns a required text that must not be blank. */
  Optional<String> requiredText(String name, int limit) {
    Optional<DocumentValue> value = require(name);
    Optional<String> text = value.flatMap(fieldValue -> text(name, fieldValue, limit));
    if (text.isPresent() && text.get().isBlank()) {
      problems.add(path(name), value.get(), Message.of("jobfile.text-empty"));
      return Optional.empty();
    }
    return text;
  }

  /** Returns an optional text; an absent field is an empty text. */
  Optional<String> text(String name, int limit) {
    Optional<DocumentValue> value = find(name);
    return value.isEmpty() ? Optional.of("") : text(name, value.get(), limit);
  }

  /** Returns an optional text without line breaks; an absent field is an empty text. */
  Optional<String> line(String name, int limit) {
    Optional<String> text = text(name, limit);
    if (text.isPresent() && text.get().chars().anyMatch(Character::isISOControl)) {
      problems.add(path(name), positionOf(name), Message.of("jobfile.text-line"));
      return Optional.empty();
    }
    return text;
  }

  private Optional<String> text(String name, DocumentValue value, int limit) {
    if (value instanceof DocumentValue.Text text) {
      Optional<Message> problem = TextRules.findProblem(text.value(), limit);
      problem.ifPresent(message -> problems.add(path(name), value, message));
      return problem.isPresent() ? Optional.empty() : Optional.of(text.value());
    }
    problems.add(path(name), value, Message.of("jobfile.want-text", "found", Excerpt.of(value)));
    return Optional.empty();
  }

  /** Returns any integer. */
  OptionalInt anyNumber(String name, int defaultValue) {
    Message expected = Message.of("jobfile.want-number");
    return number(name, new Bounds(Integer.MIN_VALUE, Integer.MAX_VALUE), defaultValue, expected);
  }

  /** Returns an integer with a minimum. */
  OptionalInt number(String name, int min, int defaultValue) {
    Message expected = Message.of("jobfile.number-min", "min", min);
    return number(name, new Bounds(min, Integer.MAX_VALUE), defaultValue, expected);
  }

  /** Returns an integer within bounds. */
  OptionalInt number(String name, int min, int max, int defaultValue) {
    return number(name, new Bounds(min, max), defaultValue, range(min, max));
  }

  /** Returns an integer with a minimum, or 0 if the value is null. */
  OptionalInt numberOrNull(String name, int min, int defaultValue) {
    Optional<DocumentValue> value = find(name);
    if (value.isPresent() && value.get() instanceof DocumentValue.Null) {
      return OptionalInt.of(0);
    }
    Message expected = Message.of("jobfile.number-or-null", "min", min);
    return number(name, new Bounds(min, Integer.MAX_VALUE), defaultValue, expected);
  }

  /** Returns any integer, or 0 if the value is null or absent. */
  OptionalInt anyNumberOrNull(String name) {
    Optional<DocumentValue> value = find(name);
    return value.isPresent() && value.get() instanceof DocumentValue.Null
        ? OptionalInt.of(0)
        : number(
            name,
            new Bounds(Integer.MIN_VALUE, Integer.MAX_VALUE),
            0,
            Message.of("jobfile.want-number-or-null"));
  }

  private record Bounds(int min, int max) {}

  private OptionalInt number(String name, Bounds bounds, int defaultValue, Message expected) {
    Optional<DocumentValue> value = find(name);
    if (value.isEmpty()) {
      return OptionalInt.of(defaultValue);
    }
    Message expectation = expected;
    if (value.get() instanceof DocumentValue.Numeral numeral && numeral.isInteger()) {
      OptionalInt number = parse(numeral.digits());
      if (number.isEmpty()) {
        expectation = range(bounds.min(), bounds.max());
      } else if (number.getAsInt() >= bounds.min() && number.getAsInt() <= bounds.max()) {
        return number;
      }
    }
    problems.add(path(name), value.get(), expectation.with("found", Excerpt.of(value.get())));
    return OptionalInt.empty();
  }

  private static Message range(int min, int max) {
    return Message.of("jobfile.number-range", "min", min).with("max", max);
  }

  private static OptionalInt parse(String digits) {
    try {
      return OptionalInt.of(Integer.parseInt(digits));
    } catch (NumberFormatException e) {
      return OptionalInt.empty(); // more digits than an int can hold
    }
  }

  /** Returns an optional object. */
  Optional<DocumentValue.Table> table(String name) {
    Optional<DocumentValue> value = find(name);
    if (value.isPresent() && !(value.get() instanceof DocumentValue.Table)) {
      Message message = Message.of("jobfile.want-object", "found", Excerpt.of(value.get()));
      problems.add(path(name), value.get(), message);
    }
    return value.filter(DocumentValue.Table.class::isInstance).map(DocumentValue.Table.class::cast);
  }

  /** Returns the fields of an optional object. */
  Optional<Fields> fields(String name) {
    return table(name).map(value -> new Fields(value, path(name), problems));
  }

  /** Returns a list of at least one text; empty if it is absent or invalid. */
  List<String> texts(String name) {
    Optional<DocumentValue> value = find(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!(value.get() instanceof DocumentValue.Items items)) {
      Message message = Message.of("jobfile.want-list", "found", Excerpt.of(value.get()));
      problems.add(path(name), value.get(), message);
      return List.of();
    }
    if (items.values().isEmpty()) {
      problems.add(path(name), items, Message.of("jobfile.list-empty"));
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < items.values().size(); i++) {
      text(DocumentPaths.item(path(name), i), items.values().get(i)).ifPresent(texts::add);
    }
    return texts;
  }

  private Optional<String> text(String itemPath, DocumentValue item) {
    if (!(item instanceof DocumentValue.Text text)) {
      Message message = Message.of("jobfile.want-text", "found", Excerpt.of(item));
      problems.add(itemPath, item, message);
      return Optional.empty();
    }
    Optional<Message> problem = TextRules.findProblem(text.value(), JobFiles.MAX_LENGTH);
    problem.ifPresent(message -> problems.add(itemPath, item, message));
    return problem.isPresent() ? Optional.empty() : Optional.of(text.value());
  }

  /** Reports a problem of a field that is present or missing. */
  void report(String name, Message message) {
    problems.add(path(name), positionOf(name), message);
  }

  /** Adds a warning about a field that is present or missing. */
  void warn(String name, Message message) {
    problems.warn(path(name), table.fields().getOrDefault(name, table), message);
  }

  /** Returns the items of a list; items that are not objects are reported and omitted. */
  static List<Fields> readObjects(String path, DocumentValue value, Problems problems) {
    if (!(value instanceof DocumentValue.Items items)) {
      problems.add(path, value, Message.of("jobfile.want-list", "found", Excerpt.of(value)));
      return List.of();
    }
    List<Fields> objects = new ArrayList<>();
    for (int i = 0; i < items.values().size(); i++) {
      DocumentValue item = items.values().get(i);
      String itemPath = DocumentPaths.item(path, i);
      if (item instanceof DocumentValue.Table table) {
        objects.add(new Fields(table, itemPath, problems));
      } else {
        Message message = Message.of("jobfile.want-object", "found", Excerpt.of(item));
        problems.add(itemPath, item, message);
      }
    }
    return objects;
  }

  /** Reports every field that was not read, because such a field is probably misspelled. */
  void rejectUnknown() {
    table
        .fields()
        .forEach(
            (name, value) -> {
              if (!knownNames.contains(name)) {
                problems.add(path(name), value, unknownFieldMessage(name));
              }
            });
  }

  /** Adds warnings about fields that were not read, for formats that accept any field. */
  void warnUnknown() {
    table
        .fields()
        .forEach(
            (name, value) -> {
              if (!knownNames.contains(name)) {
                problems.warn(path(name), value, unknownFieldMessage(name));
              }
            });
  }

  /** Returns all values of the object, without positions. */
  Map<String, Object> plain() {
    return PlainValues.map(table);
  }

  private Message unknownFieldMessage(String name) {
    Optional<String> similarName =
        problems.isFull() ? Optional.empty() : TextRules.findMostSimilar(name, knownNames);
    return similarName.isPresent()
        ? Message.of("jobfile.unknown-field-similar", "name", Excerpt.of(name))
            .with("similar", similarName.get())
        : Message.of("jobfile.unknown-field", "name", Excerpt.of(name));
  }
}
