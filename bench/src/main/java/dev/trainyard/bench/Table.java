package dev.trainyard.bench;

/** A Markdown table that is printed row by row. */
final class Table {
  Table(String... columns) {
    row(columns);
    row("---|".repeat(columns.length - 1) + "---");
  }

  void row(String... cells) {
    System.out.println("| " + String.join(" | ", cells) + " |");
  }
}
