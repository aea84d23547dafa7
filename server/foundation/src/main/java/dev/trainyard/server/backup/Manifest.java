package dev.trainyard.server.backup;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * Manifest of a backup. The first entry of a backup contains the part of the manifest that is known
 * at the start; the last entry contains the complete manifest.
 *
 * @param format version of the backup format
 * @param version version of the program that wrote the backup
 * @param schema version of the tables
 * @param created time of the backup, in milliseconds since 1970
 * @param database the kind of database that was read; the rows can be restored into any kind
 * @param tables number of rows of each table
 * @param checksums SHA-256 of each entry except the entries of trees
 * @param trees number of entries and bytes of each requested directory
 * @param skipped number of files that are not in the backup: sockets, deleted files, and
 *     directories that are nested too deeply
 * @param seal SHA-256 over the names, attributes and contents of all entries before the manifest
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Manifest(
    int format,
    String version,
    int schema,
    long created,
    String database,
    Map<String, Long> tables,
    Map<String, String> checksums,
    Map<String, Tree> trees,
    Long skipped,
    String seal) {
  /** The oldest format that can be restored. It stores sparse files with their holes. */
  static final int OLDEST_FORMAT = 1;

  /** The current format. It stores sparse files without their holes. */
  static final int FORMAT = 2;

  static final String HEADER_NAME = "trainyard-backup.json";
  static final String MANIFEST_NAME = "manifest.json";

  /** The size of a directory in a backup. */
  public record Tree(long entries, long bytes) {}

  static Manifest initial(String version, int schema, long created, String database) {
    return new Manifest(FORMAT, version, schema, created, database, null, null, null, null, null);
  }

  /** Returns the names of the small files of the data directory that the backup contains. */
  public List<String> files() {
    return checksums.keySet().stream()
        .filter(name -> name.startsWith(Backup.FILES_PREFIX))
        .map(name -> name.substring(Backup.FILES_PREFIX.length()))
        .sorted()
        .toList();
  }

  Manifest complete(
      Map<String, Long> rows,
      Map<String, String> entryChecksums,
      Map<String, Tree> treeSizes,
      long skippedCount,
      String finalSeal) {
    return new Manifest(
        format,
        version,
        schema,
        created,
        database,
        rows,
        entryChecksums,
        treeSizes,
        skippedCount,
        finalSeal);
  }
}
