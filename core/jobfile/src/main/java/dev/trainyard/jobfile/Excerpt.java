package dev.trainyard.jobfile;

/**
 * An excerpt of a value for use in a message: short, on one line, and the same in every language.
 * Job files are untrusted, and a message may be printed on a terminal.
 */
final class Excerpt {
  private static final int LIMIT = 40;

  private Excerpt() {}

  static String of(Located value) {
    return switch (value) {
      case Located.Text text -> quoted(text.value());
      case Located.Numeral numeral -> of(numeral.digits());
      case Located.Truth truth -> String.valueOf(truth.value());
      case Located.Nothing _ -> "null";
      case Located.Items items -> items.values().isEmpty() ? "[]" : "[…]";
      case Located.Table table -> table.fields().isEmpty() ? "{}" : "{…}";
    };
  }

  static String quoted(String text) {
    return '"' + of(text) + '"';
  }

  static String of(String text) {
    StringBuilder excerpt = new StringBuilder();
    int length = 0;
    int at = 0;
    while (at < text.length() && length < LIMIT) {
      int character = text.codePointAt(at);
      excerpt.appendCodePoint(shown(character));
      at += Character.charCount(character);
      length++;
    }
    return at < text.length() ? excerpt.append('…').toString() : excerpt.toString();
  }

  /** Line breaks and tabs only separate words; unprintable characters are replaced by a marker. */
  private static int shown(int character) {
    if (Character.isWhitespace(character)) {
      return ' ';
    }
    return isPrintable(character) ? character : '\uFFFD';
  }

  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT, // including the characters that change the direction of writing
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
