package dev.trainyard.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** A Markdown table that compares SQLite with PostgreSQL and is printed when both are measured. */
final class DatabaseTable {
  static final String SQLITE = "SQLite";
  static final String POSTGRESQL = "PostgreSQL";

  private final String subject;
  private final Map<String, Row> rows = new LinkedHashMap<>();

  private record Row(Map<String, Samples> samples, String limit) {
    String cell(String database) {
      Samples result = samples.get(database);
      return result == null ? "" : result.medianText() + " / " + result.p95Text();
    }
  }

  /**
   * @param subject heading of the first column
   */
  DatabaseTable(String subject) {
    this.subject = subject;
  }

  void add(String label, String database, Samples samples, String limit) {
    rows.computeIfAbsent(label, _ -> new Row(new LinkedHashMap<>(), limit))
        .samples()
        .put(database, samples);
  }

  void print() {
    String columns = " median / p95";
    Table table = new Table(subject, SQLITE + columns, POSTGRESQL + columns, "limit");
    rows.forEach(
        (label, row) -> table.row(label, row.cell(SQLITE), row.cell(POSTGRESQL), row.limit()));
  }
}
