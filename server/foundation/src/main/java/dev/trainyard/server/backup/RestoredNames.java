package dev.trainyard.server.backup;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks names in the rows of a backup. They are validated when users, groups and storages are
 * created, and then become names of directories; a backup may come from an untrusted source.
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

  static void require(String table, String column, String value) throws IOException {
    if (COLUMNS.getOrDefault(table, Set.of()).contains(column) && !VALID.matcher(value).matches()) {
      throw new IOException("the table " + table + " contains the invalid name " + value);
    }
  }
}
