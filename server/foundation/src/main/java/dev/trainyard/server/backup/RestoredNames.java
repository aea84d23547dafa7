package dev.trainyard.server.backup;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks names in the rows of a backup that become names of directories. The server validates such
 * names when users, groups and storages are created, but a backup may come from an untrusted
 * source.
 */
final class RestoredNames {
  private static final Pattern VALID = Pattern.compile("(?!\\.{1,2}\\z)[A-Za-z0-9._-]{1,255}");

  /** The columns of each table that contain such names. */
  private static final Map<String, Set<String>> COLUMNS =
      Map.of(
          "users", Set.of("name"),
          "deleted_user", Set.of("name"),
          "newcomer", Set.of("name"),
          "team_group", Set.of("name"),
          "virtual_cluster", Set.of("name"),
          "storage", Set.of("name"),
          "job_storage", Set.of("storage"));

  private RestoredNames() {}

  /**
   * Requires that the key by which a row is looked up matches the name in the row. If it did not, a
   * user could sign in with a name other than the one that is displayed and used for directories.
   *
   * @param row the values, in the order of {@code columns}
   */
  static void requireKey(String table, List<String> columns, JsonNode row) throws IOException {
    int name = columns.indexOf("name");
    int key = columns.indexOf("name_key");
    if (name >= 0 && key >= 0) {
      String value = row.get(name).asText();
      if (!row.get(key).asText().equals(value.toLowerCase(Locale.ROOT))) {
        throw new IOException(
            "the table " + table + " contains an invalid key for the name " + value);
      }
    }
  }

  static void requireValid(String table, String column, String value) throws IOException {
    if (COLUMNS.getOrDefault(table, Set.of()).contains(column) && !VALID.matcher(value).matches()) {
      throw new IOException("the table " + table + " contains the invalid name " + value);
    }
  }
}
