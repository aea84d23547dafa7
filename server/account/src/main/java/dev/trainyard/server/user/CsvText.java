package dev.trainyard.server.user;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads comma-separated values as written by spreadsheets (RFC 4180): quoted cells may contain
 * commas, quotes and line breaks. The first line determines the separator: comma, semicolon or tab.
 */
final class CsvText {
  private final String text;
  private final char separator;
  private int at;
  private int line = 1;

  private CsvText(String text) {
    this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
    this.separator = separator(this.text);
  }

  /**
   * A row.
   *
   * @param line line number where the row begins, starting with 1
   * @param broken whether a quote is not closed, or is followed by more text
   */
  record Row(int line, List<String> cells, boolean broken) {
    boolean isEmpty() {
      return cells.stream().allMatch(String::isBlank);
    }
  }

  /** Returns all non-empty rows. */
  static List<Row> rows(String text) {
    CsvText csv = new CsvText(text);
    List<Row> rows = new ArrayList<>();
    while (csv.at < csv.text.length()) {
      Row row = csv.row();
      if (!row.isEmpty() || row.broken()) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static char separator(String text) {
    int end = text.indexOf('\n');
    String first = end < 0 ? text : text.substring(0, end);
    if (first.contains(",")) {
      return ',';
    }
    return first.contains(";") ? ';' : first.contains("\t") ? '\t' : ',';
  }

  private Row row() {
    int begin = line;
    List<String> cells = new ArrayList<>();
    boolean broken = false;
    while (true) {
      StringBuilder cell = new StringBuilder();
      boolean inQuotes = at < text.length() && text.charAt(at) == '"';
      broken |= inQuotes ? !quoted(cell) : !plain(cell);
      cells.add(cell.toString().strip());
      if (at < text.length() && text.charAt(at) == separator) {
        at++;
        continue;
      }
      endOfLine();
      return new Row(begin, cells, broken);
    }
  }

  private boolean plain(StringBuilder cell) {
    while (at < text.length() && !endsCell(text.charAt(at))) {
      cell.append(text.charAt(at++));
    }
    return true;
  }

  /** Returns whether the quote is closed and followed by the end of the cell. */
  private boolean quoted(StringBuilder cell) {
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        if (at >= text.length() || text.charAt(at) != '"') {
          boolean ended = at >= text.length() || endsCell(text.charAt(at));
          return plain(new StringBuilder()) && ended;
        }
        at++;
      }
      line += c == '\n' ? 1 : 0;
      cell.append(c);
    }
    return false;
  }

  private boolean endsCell(char c) {
    return c == separator || c == '\n' || c == '\r';
  }

  private void endOfLine() {
    if (at < text.length() && text.charAt(at) == '\r') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '\n') {
      at++;
    }
    line++;
  }
}
