package dev.trainyard.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * A table with a header row. Alignment takes double-width characters into account. On a narrow
 * terminal the widest columns are shortened first, but never the first column, because it contains
 * a name to copy. Output to a pipe is never truncated.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final int MIN_COLUMN_WIDTH = 6;

  /** Minimum useful width of the last column; other columns are dropped to reach it. */
  private static final int MIN_LAST_COLUMN_WIDTH = 12;

  private final List<String> heading;
  private int[] droppableColumns = {};
  private final List<List<Cell>> rows = new ArrayList<>();

  /** A text and its style. */
  public record Cell(String text, Style style) {
    public static Cell of(String text) {
      return new Cell(text, Style.NONE);
    }
  }

  public Table(List<String> heading) {
    this.heading = List.copyOf(heading);
  }

  /** Sets the columns that are dropped on a narrow terminal, in this order. */
  public Table withDroppableColumns(int... columns) {
    droppableColumns = columns.clone();
    return this;
  }

  public void addRow(Cell... cells) {
    if (cells.length != heading.size()) {
      throw new IllegalArgumentException(
          "expected " + heading.size() + " cells, got " + cells.length);
    }
    List<Cell> sanitizedCells = new ArrayList<>();
    for (Cell cell : cells) {
      sanitizedCells.add(new Cell(PlainText.of(cell.text()), cell.style()));
    }
    rows.add(sanitizedCells);
  }

  public String render(Terminal terminal) {
    int[] widths = widths(terminal.columns());
    StringBuilder text = new StringBuilder();
    List<Cell> headingCells = heading.stream().map(word -> new Cell(word, Style.STRONG)).toList();
    text.append(line(headingCells, widths, terminal));
    for (List<Cell> row : rows) {
      text.append(line(row, widths, terminal));
    }
    return text.toString();
  }

  private int[] widths(int columns) {
    int[] widths = new int[heading.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = DisplayWidth.of(heading.get(i));
      for (List<Cell> row : rows) {
        widths[i] = Math.max(widths[i], DisplayWidth.of(row.get(i).text()));
      }
    }
    for (int i = 0; i < droppableColumns.length && minLineWidth(widths) > columns; i++) {
      widths[droppableColumns[i]] = 0;
    }
    while (lineWidth(widths) > columns) {
      int widest = widths.length - 1;
      for (int i = 1; i < widths.length; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      if (widest == 0 || widths[widest] <= MIN_COLUMN_WIDTH) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  /**
   * Returns the width of a line whose last column, usually the longest one, has its minimum width.
   */
  private static long minLineWidth(int[] widths) {
    int[] minWidths = widths.clone();
    minWidths[minWidths.length - 1] =
        Math.min(MIN_LAST_COLUMN_WIDTH, minWidths[minWidths.length - 1]);
    return lineWidth(minWidths);
  }

  /** Returns the width of a line with these columns; columns of width 0 are hidden. */
  private static long lineWidth(int[] widths) {
    long sum = -GAP.length();
    for (int width : widths) {
      sum += width == 0 ? 0 : width + GAP.length();
    }
    return sum;
  }

  private static String line(List<Cell> cells, int[] widths, Terminal terminal) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] == 0) {
        continue;
      }
      Cell cell = cells.get(i);
      String text = DisplayWidth.truncate(cell.text(), widths[i]);
      boolean isLast = i == widths.length - 1;
      String padding = isLast ? "" : " ".repeat(widths[i] - DisplayWidth.of(text)) + GAP;
      line.append(terminal.styled(cell.style(), text)).append(padding);
    }
    return line.toString().stripTrailing() + "\n";
  }
}
