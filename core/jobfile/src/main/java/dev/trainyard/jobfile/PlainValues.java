package dev.trainyard.jobfile;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts values to Java objects without positions: strings, numbers, booleans, lists, maps and
 * null.
 */
final class PlainValues {
  private PlainValues() {}

  static Object of(DocumentValue value) {
    return switch (value) {
      case DocumentValue.Text text -> text.value();
      case DocumentValue.Numeral numeral -> number(numeral);
      case DocumentValue.Bool bool -> bool.value();
      case DocumentValue.Null _ -> null;
      case DocumentValue.Items items -> {
        List<Object> list = new ArrayList<>();
        items.values().forEach(item -> list.add(of(item)));
        yield list;
      }
      case DocumentValue.Table table -> map(table);
    };
  }

  static Map<String, Object> map(DocumentValue.Table table) {
    Map<String, Object> map = new LinkedHashMap<>();
    table.fields().forEach((name, value) -> map.put(name, of(value)));
    return map;
  }

  private static Object number(DocumentValue.Numeral numeral) {
    if (!numeral.isInteger()) {
      return Double.valueOf(numeral.digits());
    }
    BigInteger integer = new BigInteger(numeral.digits());
    if (integer.bitLength() < Integer.SIZE) {
      return integer.intValue();
    }
    return integer.bitLength() < Long.SIZE ? (Object) integer.longValue() : integer;
  }
}
