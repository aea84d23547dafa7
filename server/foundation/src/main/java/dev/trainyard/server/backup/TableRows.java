package dev.trainyard.server.backup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.db.Table;
import dev.trainyard.server.http.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Writes and loads the rows of a table as lines of JSON: first the names of the columns, then one
 * array per row. The format is the same for every database.
 */
final class TableRows {
  private static final int CHUNK_SIZE = 4 << 20;
  private static final int FETCH_SIZE = 1_000;
  private static final int BATCH_SIZE = 500;

  private TableRows() {}

  /**
   * Receives the table in chunks of about 4 MiB, in order. Each chunk begins with the line of
   * column names.
   */
  @FunctionalInterface
  interface ChunkConsumer {
    void accept(byte[] lines) throws IOException;
  }

  /** Writes all rows and returns their number. */
  static long write(Connection connection, Table table, ChunkConsumer chunks)
      throws SQLException, IOException {
    List<String> columns = List.copyOf(table.columns().keySet());
    byte[] headerLine = toLine(columns);
    long count = 0;
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    chunk.writeBytes(headerLine);
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_SIZE);
      try (ResultSet rows =
          statement.executeQuery(
              "select " + String.join(", ", columns) + " from " + table.name())) {
        while (rows.next()) {
          List<Object> values = new ArrayList<>(columns.size());
          for (int i = 1; i <= columns.size(); i++) {
            values.add(rows.getObject(i));
          }
          chunk.writeBytes(toLine(values));
          count++;
          if (chunk.size() >= CHUNK_SIZE) {
            chunks.accept(chunk.toByteArray());
            chunk.reset();
            chunk.writeBytes(headerLine);
          }
        }
      }
    }
    if (chunk.size() > headerLine.length || count == 0) {
      chunks.accept(chunk.toByteArray());
    }
    return count;
  }

  /** Returns the values as one line with a JSON array. Byte arrays are encoded as Base64. */
  private static byte[] toLine(List<?> values) throws IOException {
    return (Json.MAPPER.writeValueAsString(values) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Inserts the rows of one chunk and returns their number. */
  static long load(Connection connection, Table table, byte[] lines)
      throws SQLException, IOException {
    Iterator<String> lineIterator = new String(lines, StandardCharsets.UTF_8).lines().iterator();
    List<Integer> types = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (JsonNode column : Json.MAPPER.readTree(lineIterator.next())) {
      Integer type = table.columns().get(column.asText());
      if (type == null) {
        throw new IOException("the table " + table.name() + " has no column " + column.asText());
      }
      columns.add(column.asText());
      types.add(type);
    }
    String placeholders = ", ?".repeat(columns.size()).substring(2);
    long count = 0;
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into %s (%s) values (%s)"
                .formatted(table.name(), String.join(", ", columns), placeholders))) {
      while (lineIterator.hasNext()) {
        JsonNode row = Json.MAPPER.readTree(lineIterator.next());
        if (row.size() != types.size()) {
          throw new IOException("a row of " + table.name() + " has the wrong number of columns");
        }
        for (int i = 0; i < types.size(); i++) {
          RestoredNames.requireValid(table.name(), columns.get(i), row.get(i).asText());
          bind(insert, i + 1, types.get(i), row.get(i));
        }
        RestoredNames.requireKey(table.name(), columns, row);
        insert.addBatch();
        if (++count % BATCH_SIZE == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
    return count;
  }

  private static void bind(PreparedStatement insert, int index, int type, JsonNode value)
      throws SQLException, IOException {
    if (value.isNull()) {
      insert.setNull(index, type);
      return;
    }
    switch (type) {
      case Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT ->
          insert.setLong(index, value.asLong());
      case Types.REAL, Types.FLOAT, Types.DOUBLE, Types.NUMERIC, Types.DECIMAL ->
          insert.setDouble(index, value.asDouble());
      case Types.BOOLEAN, Types.BIT -> insert.setBoolean(index, value.asBoolean());
      case Types.BLOB, Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY ->
          insert.setBytes(index, value.binaryValue());
      default -> insert.setString(index, value.asText());
    }
  }
}
