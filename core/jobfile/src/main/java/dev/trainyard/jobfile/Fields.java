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
 * Reads the fields of one object and reports their problems. An invalid field is returned as empty;
 * an absent field is returned as its default.
 */
final class Fields {
  private final Located.Table table;
  private final String path;
  private final Problems problems;
  private final Set<String> known = new LinkedHashSet<>();

  Fields(Located.Table table, String path, Problems problems) {
    this.table = table;
    this.path = path;
    this.problems = problems;
  }

  String path(String name) {
    return Paths.field(path, name);
  }

  /** Returns the position of the field's value or, if it is absent, of the object. */
  Located.Place placeOf(String name) {
    return table.fields().getOrDefault(name, table).place();
  }

  /** Returns the raw value and marks this name as known. */
  Optional<Located> find(String name) {
    known.add(name);
    return Optional.ofNullable(table.fields().get(name));
  }

  /** Returns the raw value of a required field. */
  Optional<Located> require(String name) {
    Optional<Located> value = find(name);
    if (value.isEmpty()) {
      problems.add(path(name), table, Message.of("jobfile.missing", "name", name));
    }
    return value;
  }

  /** Returns a required text that must not be blank. */
  Optional<String> requiredText(String name, int limit) {
    Optional<Located> value = require(name);
    Optional<String> text = value.flatMap(found -> text(name, found, limit));
    if (text.isPresent() && text.get().isBlank()) {
      problems.add(path(name), value.get(), Message.of("jobfile.text-empty"));
      return Optional.empty();
    }
    return text;
  }

  /** Returns an optional text; absent means empty. */
  Optional<String> text(String name, int limit) {
    Optional<Located> value = find(name);
    return value.isEmpty() ? Optional.of("") : text(name, value.get(), limit);
  }

  /** Returns an optional text without line breaks; absent means empty. */
  Optional<String> line(String name, int limit) {
    Optional<String> text = text(name, limit);
    if (text.isPresent() && text.get().chars().anyMatch(Character::isISOControl)) {
      problems.add(path(name), placeOf(name), Message.of("jobfile.text-line"));
      return Optional.empty();
    }
    return text;
  }

  private Optional<String> text(String name, Located value, int limit) {
    if (value instanceof Located.Text text) {
      Optional<Message> fault = Texts.fault(text.value(), limit);
      fault.ifPresent(message -> problems.add(path(name), value, message));
      return fault.isPresent() ? Optional.empty() : Optional.of(text.value());
    }
    problems.add(path(name), value, Message.of("jobfile.want-text", "found", Excerpt.of(value)));
    return Optional.empty();
  }

  /** Returns any integer. */
  OptionalInt anyNumber(String name, int absent) {
    Message expected = Message.of("jobfile.want-number");
    return number(name, new Bounds(Integer.MIN_VALUE, Integer.MAX_VALUE), absent, expected);
  }

  /** Returns an integer with a minimum. */
  OptionalInt number(String name, int min, int absent) {
    Message expected = Message.of("jobfile.number-min", "min", min);
    return number(name, new Bounds(min, Integer.MAX_VALUE), absent, expected);
  }

  /** Returns an integer within bounds. */
  OptionalInt number(String name, int min, int max, int absent) {
    return number(name, new Bounds(min, max), absent, range(min, max));
  }

  /** Returns an integer with a minimum; null is returned as 0. */
  OptionalInt numberOrNull(String name, int min, int absent) {
    Optional<Located> value = find(name);
    if (value.isPresent() && value.get() instanceof Located.Nothing) {
      return OptionalInt.of(0);
    }
    Message expected = Message.of("jobfile.number-or-null", "min", min);
    return number(name, new Bounds(min, Integer.MAX_VALUE), absent, expected);
  }

  /** Returns any integer; null and absent are returned as 0. */
  OptionalInt anyNumberOrNull(String name) {
    Optional<Located> value = find(name);
    return value.isPresent() && value.get() instanceof Located.Nothing
        ? OptionalInt.of(0)
        : number(
            name,
            new Bounds(Integer.MIN_VALUE, Integer.MAX_VALUE),
            0,
            Message.of("jobfile.want-number-or-null"));
  }

  private record Bounds(int min, int max) {}

  private OptionalInt number(String name, Bounds bounds, int absent, Message expected) {
    Optional<Located> value = find(name);
    if (value.isEmpty()) {
      return OptionalInt.of(absent);
    }
    Message rule = expected;
    if (value.get() instanceof Located.Numeral numeral && numeral.whole()) {
      OptionalInt number = parse(numeral.digits());
      if (number.isEmpty()) {
        rule = range(bounds.min(), bounds.max());
      } else if (number.getAsInt() >= bounds.min() && number.getAsInt() <= bounds.max()) {
        return number;
      }
    }
    problems.add(path(name), value.get(), rule.with("found", Excerpt.of(value.get())));
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
  Optional<Located.Table> table(String name) {
    Optional<Located> value = find(name);
    if (value.isPresent() && !(value.get() instanceof Located.Table)) {
      Message message = Message.of("jobfile.want-object", "found", Excerpt.of(value.get()));
      problems.add(path(name), value.get(), message);
    }
    return value.filter(Located.Table.class::isInstance).map(Located.Table.class::cast);
  }

  /** Returns the fields of an optional object. */
  Optional<Fields> fields(String name) {
    return table(name).map(value -> new Fields(value, path(name), problems));
  }

  /** Returns a list of at least one text; empty if it is absent or invalid. */
  List<String> texts(String name) {
    Optional<Located> value = find(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!(value.get() instanceof Located.Items items)) {
      Message message = Message.of("jobfile.want-list", "found", Excerpt.of(value.get()));
      problems.add(path(name), value.get(), message);
      return List.of();
    }
    if (items.values().isEmpty()) {
      problems.add(path(name), items, Message.of("jobfile.list-empty"));
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < items.values().size(); i++) {
      text(Paths.item(path(name), i), items.values().get(i)).ifPresent(texts::add);
    }
    return texts;
  }

  private Optional<String> text(String itemPath, Located item) {
    if (!(item instanceof Located.Text text)) {
      Message message = Message.of("jobfile.want-text", "found", Excerpt.of(item));
      problems.add(itemPath, item, message);
      return Optional.empty();
    }
    Optional<Message> fault = Texts.fault(text.value(), JobFiles.MAX_LENGTH);
    fault.ifPresent(message -> problems.add(itemPath, item, message));
    return fault.isPresent() ? Optional.empty() : Optional.of(text.value());
  }

  /** Reports a problem of a field that is present, or that violates a rule by being absent. */
  void tell(String name, Message message) {
    problems.add(path(name), placeOf(name), message);
  }

  /** Adds a warning about a field that is present, or that violates a rule by being absent. */
  void warn(String name, Message message) {
    problems.warn(path(name), table.fields().getOrDefault(name, table), message);
  }

  /** Returns the items of a list; items that are not objects are reported and omitted. */
  static List<Fields> tables(String path, Located value, Problems problems) {
    if (!(value instanceof Located.Items items)) {
      problems.add(path, value, Message.of("jobfile.want-list", "found", Excerpt.of(value)));
      return List.of();
    }
    List<Fields> tables = new ArrayList<>();
    for (int i = 0; i < items.values().size(); i++) {
      Located item = items.values().get(i);
      String itemPath = Paths.item(path, i);
      if (item instanceof Located.Table table) {
        tables.add(new Fields(table, itemPath, problems));
      } else {
        Message message = Message.of("jobfile.want-object", "found", Excerpt.of(item));
        problems.add(itemPath, item, message);
      }
    }
    return tables;
  }

  /**
   * Reports every field that was not read; mostly a misspelling that would otherwise go unnoticed.
   */
  void rejectUnknown() {
    table
        .fields()
        .forEach(
            (name, value) -> {
              if (!known.contains(name)) {
                problems.add(path(name), value, unknown(name));
              }
            });
  }

  /** Adds warnings about fields that were not read, for formats that accept any field. */
  void warnUnknown() {
    table
        .fields()
        .forEach(
            (name, value) -> {
              if (!known.contains(name)) {
                problems.warn(path(name), value, unknown(name));
              }
            });
  }

  /** Returns all values of the object, without positions. */
  Map<String, Object> plain() {
    return PlainValues.map(table);
  }

  private Message unknown(String name) {
    Optional<String> similar =
        problems.isFull() ? Optional.empty() : Texts.mostSimilar(name, known);
    return similar.isPresent()
        ? Message.of("jobfile.unknown-field-similar", "name", Excerpt.of(name))
            .with("similar", similar.get())
        : Message.of("jobfile.unknown-field", "name", Excerpt.of(name));
  }
}
