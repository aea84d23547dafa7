package dev.trainyard.cli.terminal;

/**
 * Sanitizes untrusted text for a terminal: names, reasons and images are written by other users,
 * and an escape sequence in them could change the window title or the screen.
 */
public final class PlainText {
  private PlainText() {}

  public static String of(String text) {
    StringBuilder result = new StringBuilder(text.length());
    text.codePoints().filter(PlainText::isAllowed).forEach(result::appendCodePoint);
    return result.toString();
  }

  private static boolean isAllowed(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      // Invisible characters, including those that reverse the writing direction.
      case Character.FORMAT, Character.SURROGATE -> false;
      default -> true;
    };
  }
}
