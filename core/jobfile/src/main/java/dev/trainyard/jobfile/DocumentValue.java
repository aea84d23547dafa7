package dev.trainyard.jobfile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a document with its start position, so that a problem can refer to it. The value does
 * not depend on the notation of the document (JSON or YAML).
 */
sealed interface DocumentValue {
  Position position();

  /** Returns a copy with another position, for an alias of the value. */
  default DocumentValue withPosition(Position newPosition) {
    return switch (this) {
      case Text text -> new Text(text.value(), newPosition);
      case Numeral numeral -> new Numeral(numeral.digits(), numeral.isInteger(), newPosition);
      case Bool bool -> new Bool(bool.value(), newPosition);
      case Null _ -> new Null(newPosition);
      case Items items -> new Items(items.values(), newPosition);
      case Table table -> new Table(table.fields(), newPosition);
    };
  }

  /** A position; line and column start at 1. */
  record Position(int line, int column) {}

  record Text(String value, Position position) implements DocumentValue {}

  /**
   * A number with the digits of the document. It is not converted when it is parsed, because it may
   * have any number of digits.
   *
   * @param isInteger whether the number has no fraction and no exponent
   */
  record Numeral(String digits, boolean isInteger, Position position) implements DocumentValue {}

  record Bool(boolean value, Position position) implements DocumentValue {}

  record Null(Position position) implements DocumentValue {}

  record Items(List<DocumentValue> values, Position position) implements DocumentValue {
    public Items {
      values = List.copyOf(values);
    }
  }

  /** An object with its fields in the order of the document. */
  record Table(Map<String, DocumentValue> fields, Position position) implements DocumentValue {
    public Table {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
  }
}
