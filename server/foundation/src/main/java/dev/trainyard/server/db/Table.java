package dev.trainyard.server.db;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A table of this program as described by the database.
 *
 * @param columns names of the columns with the numbers of {@link java.sql.Types}, in order
 */
public record Table(String name, Map<String, Integer> columns) {
  /**
   * The server that leads this database. Not part of backups, because it concerns this database
   * only.
   */
  public static final String LEASE = LeaseTable.NAME;

  /**
   * Returns every table of this program, each after the tables that it references. Tables of new
   * migrations are found automatically.
   */
  public static List<Table> list(Connection connection) throws SQLException {
    Map<String, Table> found = new TreeMap<>();
    DatabaseMetaData meta = connection.getMetaData();
    String schema = connection.getSchema();
    try (ResultSet rows = meta.getTables(null, schema, "%", new String[] {"TABLE"})) {
      while (rows.next()) {
        String name = rows.getString("TABLE_NAME");
        if (!name.equals(Schema.HISTORY) && !name.startsWith("sqlite_")) {
          found.put(name, new Table(name, columns(meta, schema, name)));
        }
      }
    }
    Map<String, TreeSet<String>> needs = new TreeMap<>();
    for (String name : found.keySet()) {
      TreeSet<String> referred = new TreeSet<>();
      try (ResultSet rows = meta.getImportedKeys(null, schema, name)) {
        while (rows.next()) {
          referred.add(rows.getString("PKTABLE_NAME"));
        }
      }
      referred.remove(name);
      needs.put(name, referred);
    }
    return inOrder(found, needs);
  }

  private static Map<String, Integer> columns(DatabaseMetaData meta, String schema, String table)
      throws SQLException {
    Map<String, Integer> columns = new LinkedHashMap<>();
    // The name is a pattern, in which an underscore matches any character.
    String pattern = table.replace("_", meta.getSearchStringEscape() + "_");
    try (ResultSet rows = meta.getColumns(null, schema, pattern, "%")) {
      while (rows.next()) {
        if (rows.getString("TABLE_NAME").equals(table)) {
          columns.put(rows.getString("COLUMN_NAME"), rows.getInt("DATA_TYPE"));
        }
      }
    }
    return columns;
  }

  private static List<Table> inOrder(
      Map<String, Table> tables, Map<String, ? extends java.util.Set<String>> needs) {
    List<Table> ordered = new ArrayList<>();
    while (ordered.size() < tables.size()) {
      int before = ordered.size();
      for (Table table : tables.values()) {
        List<String> done = ordered.stream().map(Table::name).toList();
        if (!done.contains(table.name()) && done.containsAll(needs.get(table.name()))) {
          ordered.add(table);
        }
      }
      if (ordered.size() == before) {
        throw new IllegalStateException("circular references between tables: " + needs);
      }
    }
    return ordered;
  }
}
