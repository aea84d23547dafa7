package dev.trainyard.server.http;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lines of a CSV file that spreadsheets open without running anything. */
public final class Csv {
  /** Without it Excel takes the text for one in the machine's own encoding. */
  public static final String MARK = "\uFEFF";

  private static final Pattern FORMULA = Pattern.compile("[\\t\\r\\n]|[\\s\uFEFF]*[=+\\-@＝＋－＠]");

  private Csv() {}

  /** The first row of a file. */
  public static String heading(List<String> cells) {
    return MARK + row(cells);
  }

  public static String row(List<String> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(",")) + "\r\n";
  }

  /**
   * A spreadsheet would run what begins like a formula; an apostrophe makes it text. East Asian
   * ones take the wide signs for the same, and all pass over a mark and blanks before them.
   */
  public static String cell(String text) {
    boolean formula = FORMULA.matcher(text).lookingAt();
    return "\"" + (formula ? "'" : "") + text.replace("\"", "\"\"") + "\"";
  }
}
