package dev.trainyard.jobfile;

import java.math.BigDecimal;

/** Formats numbers like JavaScript, and therefore OpenPAI, does: 1.0 is 1, 1e-3 is 0.001. */
final class JavaScriptNumbers {
  private static final int MAX_INTEGER_DIGITS = 21;
  private static final int MAX_LEADING_ZEROS = 6;

  private JavaScriptNumbers() {}

  static DocumentValue.Numeral toNumeral(double number, DocumentValue.Position position) {
    boolean isInteger = number == Math.rint(number) && Math.abs(number) < 1e21;
    return new DocumentValue.Numeral(format(number), isInteger, position);
  }

  static String format(double number) {
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
    return (number < 0 ? "-" : "") + insertPoint(digits, digits.length() - decimal.scale());
  }

  /** Inserts the decimal point after this number of digits. */
  private static String insertPoint(String digits, int point) {
    int count = digits.length();
    if (point > MAX_INTEGER_DIGITS || point <= -MAX_LEADING_ZEROS) {
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
