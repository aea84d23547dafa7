package dev.trainyard.server.http;

import java.util.List;
import java.util.stream.Collectors;

/** Lines of a CSV file that spreadsheets open without running anything. */
public final class Csv {
  /** Without it Excel takes the text for one in the machine's own encoding. */
  public static final String MARK = "\uFEFF";

  private Csv() {}

  /** The first row of a file. */
  public static String heading(List<String> cells) {
    return MARK + row(cells);
  }

  public static String row(List<String> cells) {
    return cells.stream().map(Csv::cell).collect(Collectors.joining(",")) + "\r\n";
  }

  /** A spreadsheet would run what begins like a formula; an apostrophe makes it text. */
  public static String cell(String text) {
    boolean formula = !text.isEmpty() && "=+-@\t\r\n".indexOf(text.charAt(0)) >= 0;
    return "\"" + (formula ? "'" : "") + text.replace("\"", "\"\"") + "\"";
  }
}
