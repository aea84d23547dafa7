package dev.trainyard.server.http;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes lines of a CSV file that spreadsheets open without executing formulas. */
public final class Csv {
  /** Byte order mark; without it, Excel assumes the local encoding. */
  public static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final Pattern FORMULA = Pattern.compile("[\\t\\r\\n]|[\\s\uFEFF]*[=+\\-@＝＋－＠]");

  private Csv() {}

  /** Returns the first row of a file. */
  public static String heading(List<String> cells) {
    return BYTE_ORDER_MARK + row(cells);
  }

  public static String row(List<String> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(",")) + "\r\n";
  }

  /**
   * Returns a quoted cell. Text that looks like a formula is prefixed with an apostrophe, because a
   * spreadsheet would execute the formula. East Asian spreadsheets also accept full-width signs,
   * and all spreadsheets ignore a byte order mark and blanks before the sign.
   */
  public static String cell(String text) {
    boolean formula = FORMULA.matcher(text).lookingAt();
    return "\"" + (formula ? "'" : "") + text.replace("\"", "\"\"") + "\"";
  }
}
