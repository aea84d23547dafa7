package dev.trainyard.jobfile;

import java.math.BigDecimal;

/** Formats numbers like JavaScript, and therefore OpenPAI, does: 1.0 is 1, 1e-3 is 0.001. */
final class ScriptNumbers {
  private static final int MOST_DIGITS = 21;
  private static final int MOST_ZEROS = 6;

  private ScriptNumbers() {}

  static Located.Numeral numeral(double number, Located.Place place) {
    boolean whole = number == Math.rint(number) && Math.abs(number) < 1e21;
    return new Located.Numeral(text(number), whole, place);
  }

  static String text(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "Infinity" : "-Infinity";
    }
    if (number == 0) {
      return "0";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(Math.abs(number))).stripTrailingZeros();
    String digits = decimal.unscaledValue().toString();
    return (number < 0 ? "-" : "") + placed(digits, digits.length() - decimal.scale());
  }

  /** Inserts the decimal point after this number of digits. */
  private static String placed(String digits, int point) {
    int count = digits.length();
    if (point > MOST_DIGITS || point <= -MOST_ZEROS) {
      String fraction = count == 1 ? "" : "." + digits.substring(1);
      return digits.charAt(0) + fraction + "e" + (point > 0 ? "+" : "-") + Math.abs(point - 1);
    }
    if (point <= 0) {
      return "0." + "0".repeat(-point) + digits;
    }
    return point >= count
        ? digits + "0".repeat(point - count)
        : digits.substring(0, point) + "." + digits.substring(point);
  }
}
