package dev.trainyard.cli.terminal;

/**
 * Text that came from somebody else, made harmless for a terminal: names, reasons and images are
 * written by other users, and an escape sequence in them could retitle or rewrite the screen.
 */
public final class PlainText {
  private PlainText() {}

  public static String of(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints().filter(PlainText::isHarmless).forEach(safe::appendCodePoint);
    return safe.toString();
  }

  private static boolean isHarmless(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      // Invisible characters, among them those that turn the direction of writing around.
      case Character.FORMAT, Character.SURROGATE -> false;
      default -> true;
    };
  }
}
