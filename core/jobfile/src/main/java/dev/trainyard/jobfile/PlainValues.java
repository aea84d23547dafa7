package dev.trainyard.jobfile;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values without their positions: texts, numbers, booleans, lists, maps and null. */
final class PlainValues {
  private PlainValues() {}

  static Object of(Located value) {
    return switch (value) {
      case Located.Text text -> text.value();
      case Located.Numeral numeral -> number(numeral);
      case Located.Truth truth -> truth.value();
      case Located.Nothing _ -> null;
      case Located.Items items -> {
        List<Object> list = new ArrayList<>();
        items.values().forEach(item -> list.add(of(item)));
        yield list;
      }
      case Located.Table table -> map(table);
    };
  }

  static Map<String, Object> map(Located.Table table) {
    Map<String, Object> map = new LinkedHashMap<>();
    table.fields().forEach((name, value) -> map.put(name, of(value)));
    return map;
  }

  private static Object number(Located.Numeral numeral) {
    if (!numeral.whole()) {
      return Double.valueOf(numeral.digits());
    }
    BigInteger whole = new BigInteger(numeral.digits());
    if (whole.bitLength() < Integer.SIZE) {
      return whole.intValue();
    }
    return whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole;
  }
}
