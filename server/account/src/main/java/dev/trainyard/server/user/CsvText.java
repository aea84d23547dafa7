package dev.trainyard.server.user;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads comma-separated values as written by spreadsheets (RFC 4180). Quoted cells may contain
 * separators, quotes and line breaks. The separator is a comma if the first line contains one,
 * otherwise a semicolon if it contains one, otherwise a tab.
 */
final class CsvText {
  private final String text;
  private final char separator;
  private int position;
  private int line = 1;

  private CsvText(String text) {
    this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
    this.separator = separator(this.text);
  }

  /**
   * A row of the file.
   *
   * @param line number of the line on which the row begins, counted from 1
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
    while (csv.position < csv.text.length()) {
      Row row = csv.readRow();
      if (!row.isEmpty() || row.broken()) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static char separator(String text) {
    int end = text.indexOf('\n');
    String firstLine = end < 0 ? text : text.substring(0, end);
    if (firstLine.contains(",")) {
      return ',';
    }
    return firstLine.contains(";") ? ';' : firstLine.contains("\t") ? '\t' : ',';
  }

  private Row readRow() {
    int startLine = line;
    List<String> cells = new ArrayList<>();
    boolean broken = false;
    while (true) {
      StringBuilder cell = new StringBuilder();
      boolean inQuotes = position < text.length() && text.charAt(position) == '"';
      broken |= inQuotes ? !readQuoted(cell) : !readPlain(cell);
      cells.add(cell.toString().strip());
      if (position < text.length() && text.charAt(position) == separator) {
        position++;
        continue;
      }
      skipLineEnd();
      return new Row(startLine, cells, broken);
    }
  }

  private boolean readPlain(StringBuilder cell) {
    while (position < text.length() && !endsCell(text.charAt(position))) {
      cell.append(text.charAt(position++));
    }
    return true;
  }

  /**
   * Reads a quoted cell; returns whether the quote is closed and the end of the cell follows it.
   */
  private boolean readQuoted(StringBuilder cell) {
    position++;
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '"') {
        if (position >= text.length() || text.charAt(position) != '"') {
          boolean ended = position >= text.length() || endsCell(text.charAt(position));
          return readPlain(new StringBuilder()) && ended;
        }
        position++;
      }
      line += c == '\n' ? 1 : 0;
      cell.append(c);
    }
    return false;
  }

  private boolean endsCell(char c) {
    return c == separator || c == '\n' || c == '\r';
  }

  private void skipLineEnd() {
    if (position < text.length() && text.charAt(position) == '\r') {
      position++;
    }
    if (position < text.length() && text.charAt(position) == '\n') {
      position++;
    }
    line++;
  }
}
