package dev.trainyard.jobfile;

/**
 * Creates excerpts of values for messages. An excerpt is short, has one line, and contains no
 * control characters, because job files are untrusted and a message may be printed on a terminal.
 */
final class Excerpt {
  private static final int MAX_LENGTH = 40;

  private Excerpt() {}

  static String of(DocumentValue value) {
    return switch (value) {
      case DocumentValue.Text text -> quoted(text.value());
      case DocumentValue.Numeral numeral -> of(numeral.digits());
      case DocumentValue.Bool bool -> String.valueOf(bool.value());
      case DocumentValue.Null _ -> "null";
      case DocumentValue.Items items -> items.values().isEmpty() ? "[]" : "[…]";
      case DocumentValue.Table table -> table.fields().isEmpty() ? "{}" : "{…}";
    };
  }

  static String quoted(String text) {
    return '"' + of(text) + '"';
  }

  static String of(String text) {
    StringBuilder excerpt = new StringBuilder();
    int length = 0;
    int index = 0;
    while (index < text.length() && length < MAX_LENGTH) {
      int character = text.codePointAt(index);
      excerpt.appendCodePoint(toPrintable(character));
      index += Character.charCount(character);
      length++;
    }
    return index < text.length() ? excerpt.append('…').toString() : excerpt.toString();
  }

  /**
   * Returns a blank for a line break or a tab, and a replacement character for an unprintable
   * character.
   */
  private static int toPrintable(int character) {
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
