package dev.trainyard.jobfile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a document with its start position, so that problems can refer to it. Independent of
 * the document's notation.
 */
sealed interface Located {
  Place place();

  /** Returns the same value at another position, for references to it. */
  default Located at(Place elsewhere) {
    return switch (this) {
      case Text text -> new Text(text.value(), elsewhere);
      case Numeral numeral -> new Numeral(numeral.digits(), numeral.whole(), elsewhere);
      case Truth truth -> new Truth(truth.value(), elsewhere);
      case Nothing _ -> new Nothing(elsewhere);
      case Items items -> new Items(items.values(), elsewhere);
      case Table table -> new Table(table.fields(), elsewhere);
    };
  }

  /** A position; line and column start at 1. */
  record Place(int line, int column) {}

  record Text(String value, Place place) implements Located {}

  /**
   * A number exactly as written: too many digits are harmless until it is converted.
   *
   * @param whole without fraction and exponent
   */
  record Numeral(String digits, boolean whole, Place place) implements Located {}

  record Truth(boolean value, Place place) implements Located {}

  record Nothing(Place place) implements Located {}

  record Items(List<Located> values, Place place) implements Located {
    public Items {
      values = List.copyOf(values);
    }
  }

  /** Fields in the order of the document. */
  record Table(Map<String, Located> fields, Place place) implements Located {
    public Table {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
  }
}
