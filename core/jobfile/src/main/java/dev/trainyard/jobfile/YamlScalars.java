package dev.trainyard.jobfile;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Interprets scalars without quotes like js-yaml 3, which OpenPAI uses: neither YAML 1.1 ({@code
 * yes} is a text) nor 1.2 ({@code 010} is eight). Numbers are formatted like in JavaScript, because
 * OpenPAI's templates insert them into commands in that form.
 */
final class YamlScalars {
  static final int LONGEST_NUMBER = 400;

  private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
  private static final Pattern NUMERIC = Pattern.compile("[-+.]?[0-9].*|[-+]?\\.[A-Za-z]{3}");
  private static final Pattern WHOLE =
      Pattern.compile(
          "[-+]?(?:0b(?<two>[01_]*[01])|0x(?<sixteen>[0-9a-fA-F_]*[0-9a-fA-F])"
              + "|0(?<eight>[0-7_]*[0-7])|(?<ten>0|[1-9](?:[0-9_]*[0-9])?))");
  private static final Pattern SIXTIES = Pattern.compile("[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+");
  private static final Pattern FRACTION =
      Pattern.compile(
          "[-+]?(?:0|[1-9][0-9_]*)(?:\\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
              + "|\\.[0-9_]+(?:[eE][-+]?[0-9]+)?");

  private YamlScalars() {}

  static Located value(String word, Located.Place place) {
    if (NOTHING.contains(word)) {
      return new Located.Nothing(place);
    }
    if (TRUE.contains(word) || FALSE.contains(word)) {
      return new Located.Truth(TRUE.contains(word), place);
    }
    return number(word, place).orElseGet(() -> new Located.Text(word, place));
  }

  static Optional<Located> number(String word, Located.Place place) {
    if (word.length() > LONGEST_NUMBER || word.endsWith("_") || !NUMERIC.matcher(word).matches()) {
      return Optional.empty();
    }
    Optional<String> whole = whole(word);
    if (whole.isPresent()) {
      return Optional.of(new Located.Numeral(whole.get(), true, place));
    }
    if (FRACTION.matcher(word).matches()) {
      return Optional.of(ScriptNumbers.numeral(Double.parseDouble(word.replace("_", "")), place));
    }
    return switch (word.toLowerCase(Locale.ROOT)) {
      case ".inf", "+.inf" -> Optional.of(ScriptNumbers.numeral(Double.POSITIVE_INFINITY, place));
      case "-.inf" -> Optional.of(ScriptNumbers.numeral(Double.NEGATIVE_INFINITY, place));
      case ".nan" -> Optional.of(ScriptNumbers.numeral(Double.NaN, place));
      default -> Optional.empty();
    };
  }

  private static Optional<String> whole(String word) {
    boolean negative = word.startsWith("-");
    BigInteger number;
    var match = WHOLE.matcher(word);
    if (match.matches()) {
      String two = match.group("two");
      String eight = match.group("eight");
      String sixteen = match.group("sixteen");
      number =
          two != null
              ? parse(two, 2)
              : eight != null
                  ? parse(eight, 8)
                  : sixteen != null ? parse(sixteen, 16) : parse(match.group("ten"), 10);
    } else if (SIXTIES.matcher(word).matches()) {
      number = BigInteger.ZERO;
      for (String part : word.replaceFirst("^[-+]", "").split(":", -1)) {
        number = number.multiply(BigInteger.valueOf(60)).add(parse(part, 10));
      }
    } else {
      return Optional.empty();
    }
    return Optional.of((negative ? number.negate() : number).toString());
  }

  private static BigInteger parse(String digits, int base) {
    String plain = digits.replace("_", "");
    return plain.isEmpty() ? BigInteger.ZERO : new BigInteger(plain, base);
  }
}
