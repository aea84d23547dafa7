package dev.trainyard.model.diagnosis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * Splits the end of a log into lines that may explain the end of a task. The number and the length
 * of the lines are limited.
 */
final class TailLines {
  /** Maximum length of a piece in bytes; a longer line is split into pieces. */
  private static final int MAX_PIECE_LENGTH = 2_048;

  /** Maximum number of lines; the newest are kept. */
  private static final int MAX_LINES = 8_000;

  /** Minimum length of a pattern; a line with fewer characters cannot match. */
  static final int MIN_LENGTH = 6;

  private static final char ESCAPE = 0x1b;

  private final LogTail tail;
  private final Deque<Line> lines = new ArrayDeque<>();

  private TailLines(LogTail tail) {
    this.tail = tail;
  }

  /**
   * A line or a part of a line.
   *
   * @param text without control characters
   * @param lower the text in lower case
   */
  record Line(long offset, int number, String text, String lower) {
    boolean isIndented() {
      String body = body();
      return body.startsWith("  ") || body.startsWith("^");
    }

    /**
     * Returns the text without the rank that launchers put before each line, for example {@code
     * [rank0]: }.
     */
    String body() {
      int end = text.startsWith("[") ? text.indexOf("]: ") : -1;
      return end > 0 && end < 20 ? text.substring(end + 3) : text;
    }

    /** Returns whether the line is marked as a warning; a warning does not explain an end. */
    boolean isWarning() {
      return lower.startsWith("warning")
          || lower.startsWith("[w ")
          || lower.contains("warning:")
          || lower.contains(" warning ");
    }
  }

  static List<Line> of(LogTail tail) {
    TailLines lines = new TailLines(tail);
    lines.split();
    return List.copyOf(lines.lines);
  }

  private void split() {
    byte[] bytes = tail.bytes();
    int number = 1;
    int pieceStart = Math.max(0, bytes.length - LogTail.MAX_BYTES);
    boolean startsAtFirstLine = pieceStart == 0 && tail.offset() == 0;
    for (int position = pieceStart; position <= bytes.length; position++) {
      boolean isLineEnd =
          position == bytes.length || bytes[position] == '\n' || bytes[position] == '\r';
      if (isLineEnd || position - pieceStart >= MAX_PIECE_LENGTH) {
        add(pieceStart, position, startsAtFirstLine ? number : 0);
        pieceStart = isLineEnd ? position + 1 : position;
      }
      if (position < bytes.length && bytes[position] == '\n') {
        number++;
      }
    }
  }

  private void add(int from, int to, int number) {
    if (to - from < MIN_LENGTH) {
      return;
    }
    String text = clean(new String(tail.bytes(), from, to - from, StandardCharsets.UTF_8));
    if (text.length() >= MIN_LENGTH && !text.isBlank()) {
      lines.add(new Line(tail.offset() + from, number, text, text.toLowerCase(Locale.ROOT)));
      if (lines.size() > MAX_LINES) {
        lines.removeFirst();
      }
    }
  }

  /** Removes color codes and other control characters, which may occur within a word. */
  private static String clean(String text) {
    StringBuilder cleaned = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == ESCAPE && i + 1 < text.length() && text.charAt(i + 1) == '[') {
        i += 2;
        while (i < text.length() && (text.charAt(i) < '@' || text.charAt(i) > '~')) {
          i++;
        }
      } else if (character == '\t') {
        cleaned.append("    ");
      } else if (!Character.isISOControl(character)) {
        cleaned.append(character);
      }
    }
    return cleaned.toString().stripTrailing();
  }
}
