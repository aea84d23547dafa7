package dev.trainyard.model.diagnosis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** The lines at the end of a log that may explain an end; their number and length are limited. */
final class TailLines {
  /** A longer line is examined in pieces. */
  private static final int PIECE = 2_048;

  /** Maximum number of lines; the newest are kept. */
  private static final int MOST_LINES = 8_000;

  /** No pattern is shorter, so a line with fewer characters cannot match. */
  static final int SHORTEST = 6;

  private static final char ESCAPE = 0x1b;

  private final LogTail tail;
  private final Deque<Line> lines = new ArrayDeque<>();

  private TailLines(LogTail tail) {
    this.tail = tail;
  }

  /**
   * A line or a part of one.
   *
   * @param text without control characters
   * @param lower the same text in lower case, character by character
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

    /** Returns whether the line is marked as a warning, which is not a reason for an end. */
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
    int from = Math.max(0, bytes.length - LogTail.MOST);
    boolean whole = from == 0 && tail.offset() == 0;
    for (int at = from; at <= bytes.length; at++) {
      boolean end = at == bytes.length || bytes[at] == '\n' || bytes[at] == '\r';
      if (end || at - from >= PIECE) {
        add(from, at, whole ? number : 0);
        from = end ? at + 1 : at;
      }
      if (at < bytes.length && bytes[at] == '\n') {
        number++;
      }
    }
  }

  private void add(int from, int to, int number) {
    if (to - from < SHORTEST) {
      return;
    }
    String text = clean(new String(tail.bytes(), from, to - from, StandardCharsets.UTF_8));
    if (text.length() >= SHORTEST && !text.isBlank()) {
      lines.add(new Line(tail.offset() + from, number, text, text.toLowerCase(Locale.ROOT)));
      if (lines.size() > MOST_LINES) {
        lines.removeFirst();
      }
    }
  }

  /** Removes colors and other control characters, which may be between the letters of a word. */
  private static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == ESCAPE && i + 1 < text.length() && text.charAt(i + 1) == '[') {
        i += 2;
        while (i < text.length() && (text.charAt(i) < '@' || text.charAt(i) > '~')) {
          i++;
        }
      } else if (letter == '\t') {
        clean.append("    ");
      } else if (!Character.isISOControl(letter)) {
        clean.append(letter);
      }
    }
    return clean.toString().stripTrailing();
  }
}
