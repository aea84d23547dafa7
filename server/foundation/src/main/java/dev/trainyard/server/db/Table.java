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
 * @param columns names of the columns in order, with their types as constants of {@link
 *     java.sql.Types}
 */
public record Table(String name, Map<String, Integer> columns) {
  /**
   * Name of the table with the lease. The table is not part of backups, because a lease is valid
   * for one database only.
   */
  public static final String LEASE = LeaseTable.NAME;

  /**
   * Returns all tables of this program, including those of later migrations. Each table follows the
   * tables that it references.
   */
  public static List<Table> list(Connection connection) throws SQLException {
    Map<String, Table> tablesByName = new TreeMap<>();
    DatabaseMetaData meta = connection.getMetaData();
    String schema = connection.getSchema();
    try (ResultSet rows = meta.getTables(null, schema, "%", new String[] {"TABLE"})) {
      while (rows.next()) {
        String name = rows.getString("TABLE_NAME");
        if (!name.equals(Schema.HISTORY) && !name.startsWith("sqlite_")) {
          tablesByName.put(name, new Table(name, columns(meta, schema, name)));
        }
      }
    }
    Map<String, TreeSet<String>> references = new TreeMap<>();
    for (String name : tablesByName.keySet()) {
      TreeSet<String> referencedTables = new TreeSet<>();
      try (ResultSet rows = meta.getImportedKeys(null, schema, name)) {
        while (rows.next()) {
          referencedTables.add(rows.getString("PKTABLE_NAME"));
        }
      }
      referencedTables.remove(name);
      references.put(name, referencedTables);
    }
    return sortByReference(tablesByName, references);
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

  private static List<Table> sortByReference(
      Map<String, Table> tables, Map<String, ? extends java.util.Set<String>> references) {
    List<Table> ordered = new ArrayList<>();
    while (ordered.size() < tables.size()) {
      int sizeBefore = ordered.size();
      for (Table table : tables.values()) {
        List<String> orderedNames = ordered.stream().map(Table::name).toList();
        if (!orderedNames.contains(table.name())
            && orderedNames.containsAll(references.get(table.name()))) {
          ordered.add(table);
        }
      }
      if (ordered.size() == sizeBefore) {
        throw new IllegalStateException("circular references between tables: " + references);
      }
    }
    return ordered;
  }
}
