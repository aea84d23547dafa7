package dev.trainyard.cli.terminal;

/**
 * Computes the number of terminal columns of a text: Chinese characters take two, combining
 * characters none.
 */
public final class DisplayWidth {
  private static final int[][] WIDE_RANGES = {
    {0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}
  };

  private DisplayWidth() {}

  public static int of(String text) {
    return text.codePoints().map(DisplayWidth::of).sum();
  }

  /** Returns the beginning of the text that fits, with an ellipsis if it was truncated. */
  public static String truncate(String text, int columns) {
    if (of(text) <= columns) {
      return text;
    }
    StringBuilder prefix = new StringBuilder();
    int usedColumns = 0;
    int[] codePoints = text.codePoints().toArray();
    for (int codePoint : codePoints) {
      if (usedColumns + of(codePoint) > columns - 1) {
        break;
      }
      prefix.appendCodePoint(codePoint);
      usedColumns += of(codePoint);
    }
    return columns > 0 ? prefix.append('…').toString() : "";
  }

  public static String pad(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - of(text)));
  }

  private static int of(int codePoint) {
    int type = Character.getType(codePoint);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT
        || type == Character.CONTROL) {
      return 0;
    }
    if (codePoint < WIDE_RANGES[0][0]) {
      return 1;
    }
    for (int[] range : WIDE_RANGES) {
      if (codePoint >= range[0] && codePoint <= range[1]) {
        return 2;
      }
    }
    return 1;
  }
}
