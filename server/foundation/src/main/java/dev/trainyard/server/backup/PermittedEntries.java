package dev.trainyard.server.backup;

import dev.trainyard.server.config.UserData;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Determines which parts of a data directory a backup contains, and which entries of a backup a
 * restore accepts. A backup may come from an untrusted source, so a restore relies on this list
 * only.
 */
final class PermittedEntries {
  /** The small files at the top of the data directory that are backed up. */
  static final Set<String> FILES = Set.of("admin-password", "trainyard.conf");

  /**
   * The number of levels of each tree at which only the server creates entries. These entries are
   * always directories; a symbolic link in place of one would redirect the server to a path outside
   * its data directory.
   */
  private static final Map<String, Integer> SERVER_LEVELS =
      Map.of(
          UserData.HOMES.directoryName(),
          2,
          UserData.JOBS.directoryName(),
          3,
          UserData.SHARED.directoryName(),
          1,
          UserData.STORAGES.directoryName(),
          2,
          "logs",
          2);

  private static final String USER_STORAGES =
      UserData.STORAGES.directoryName() + "/" + UserData.USER_STORAGES + "/";
  private static final String SHARED_STORAGES =
      UserData.STORAGES.directoryName() + "/" + UserData.SHARED_STORAGES + "/";

  private PermittedEntries() {}

  /** Rejects an entry of a tree that the server could not have written. */
  static void requireTreeEntry(ArchiveEntry entry) throws IOException {
    String name = entry.name();
    List<String> parts = List.of(name.split("/", -1));
    String top = parts.getFirst();
    if (!Backup.LOG_DIRECTORIES.contains(top) && !Backup.USER_DIRECTORIES.contains(top)) {
      throw new IOException("the name " + name + " is outside the directory");
    }
    boolean isDirectory = entry.kind() == ArchiveEntry.Kind.DIRECTORY;
    if (parts.size() <= serverLevels(name, top) && !isDirectory) {
      throw new IOException(name + " is not a directory");
    }
    if (Backup.LOG_DIRECTORIES.contains(top) && entry.kind() == ArchiveEntry.Kind.LINK) {
      throw new IOException(name + " is a symbolic link");
    }
  }

  private static int serverLevels(String name, String top) {
    if (name.startsWith(USER_STORAGES)) {
      return 4;
    }
    return name.startsWith(SHARED_STORAGES) ? 3 : SERVER_LEVELS.get(top);
  }
}
