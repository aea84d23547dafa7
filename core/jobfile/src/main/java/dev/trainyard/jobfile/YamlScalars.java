package dev.trainyard.jobfile;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Interprets scalars without quotes like js-yaml 3, which OpenPAI uses. This differs from YAML 1.1
 * ({@code yes} is a text) and from YAML 1.2 ({@code 010} is eight). Numbers are formatted like in
 * JavaScript, because OpenPAI's templates insert them into commands in that form.
 */
final class YamlScalars {
  static final int MAX_NUMBER_LENGTH = 400;

  private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
  private static final Pattern NUMERIC = Pattern.compile("[-+.]?[0-9].*|[-+]?\\.[A-Za-z]{3}");
  private static final Pattern INTEGER =
      Pattern.compile(
          "[-+]?(?:0b(?<two>[01_]*[01])|0x(?<sixteen>[0-9a-fA-F_]*[0-9a-fA-F])"
              + "|0(?<eight>[0-7_]*[0-7])|(?<ten>0|[1-9](?:[0-9_]*[0-9])?))");
  private static final Pattern SEXAGESIMAL = Pattern.compile("[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+");
  private static final Pattern FRACTION =
      Pattern.compile(
          "[-+]?(?:0|[1-9][0-9_]*)(?:\\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
              + "|\\.[0-9_]+(?:[eE][-+]?[0-9]+)?");

  private YamlScalars() {}

  static DocumentValue value(String scalar, DocumentValue.Position position) {
    if (NULL.contains(scalar)) {
      return new DocumentValue.Null(position);
    }
    if (TRUE.contains(scalar) || FALSE.contains(scalar)) {
      return new DocumentValue.Bool(TRUE.contains(scalar), position);
    }
    return number(scalar, position).orElseGet(() -> new DocumentValue.Text(scalar, position));
  }

  static Optional<DocumentValue> number(String scalar, DocumentValue.Position position) {
    if (scalar.length() > MAX_NUMBER_LENGTH
        || scalar.endsWith("_")
        || !NUMERIC.matcher(scalar).matches()) {
      return Optional.empty();
    }
    Optional<String> integer = parseInteger(scalar);
    if (integer.isPresent()) {
      return Optional.of(new DocumentValue.Numeral(integer.get(), true, position));
    }
    if (FRACTION.matcher(scalar).matches()) {
      return Optional.of(
          JavaScriptNumbers.toNumeral(Double.parseDouble(scalar.replace("_", "")), position));
    }
    return switch (scalar.toLowerCase(Locale.ROOT)) {
      case ".inf", "+.inf" ->
          Optional.of(JavaScriptNumbers.toNumeral(Double.POSITIVE_INFINITY, position));
      case "-.inf" -> Optional.of(JavaScriptNumbers.toNumeral(Double.NEGATIVE_INFINITY, position));
      case ".nan" -> Optional.of(JavaScriptNumbers.toNumeral(Double.NaN, position));
      default -> Optional.empty();
    };
  }

  private static Optional<String> parseInteger(String scalar) {
    boolean isNegative = scalar.startsWith("-");
    BigInteger number;
    var match = INTEGER.matcher(scalar);
    if (match.matches()) {
      String binary = match.group("two");
      String octal = match.group("eight");
      String hexadecimal = match.group("sixteen");
      number =
          binary != null
              ? parse(binary, 2)
              : octal != null
                  ? parse(octal, 8)
                  : hexadecimal != null ? parse(hexadecimal, 16) : parse(match.group("ten"), 10);
    } else if (SEXAGESIMAL.matcher(scalar).matches()) {
      number = BigInteger.ZERO;
      for (String part : scalar.replaceFirst("^[-+]", "").split(":", -1)) {
        number = number.multiply(BigInteger.valueOf(60)).add(parse(part, 10));
      }
    } else {
      return Optional.empty();
    }
    return Optional.of((isNegative ? number.negate() : number).toString());
  }

  private static BigInteger parse(String digits, int base) {
    String digitsOnly = digits.replace("_", "");
    return digitsOnly.isEmpty() ? BigInteger.ZERO : new BigInteger(digitsOnly, base);
  }
}
