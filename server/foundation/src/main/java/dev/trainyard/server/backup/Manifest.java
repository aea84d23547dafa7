package dev.trainyard.server.backup;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/**
 * What a backup says of itself. The first entry of the file has the part that is known then, the
 * last one all of it.
 *
 * @param format of the file
 * @param version of the program
 * @param schema version of the tables
 * @param created in milliseconds since 1970
 * @param database that was read; the rows fit any
 * @param tables rows of each
 * @param checksums SHA-256 of each entry but those of trees
 * @param trees entries and bytes of each directory that was asked for
 * @param skipped what could not be taken: sockets, files that vanished, too deep directories
 * @param seal SHA-256 over every name, attribute and content before this
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
  /** The first format, in which every file is stored with its holes. */
  static final int OLDEST_FORMAT = 1;

  /** The format that is written: sparse files are stored without their holes. */
  static final int FORMAT = 2;

  static final String FIRST = "trainyard-backup.json";
  static final String LAST = "manifest.json";

  /** How much of a directory is in a backup. */
  public record Tree(long entries, long bytes) {}

  static Manifest begun(String version, int schema, long created, String database) {
    return new Manifest(FORMAT, version, schema, created, database, null, null, null, null, null);
  }

  Manifest ended(
      Map<String, Long> rows,
      Map<String, String> sums,
      Map<String, Tree> saved,
      long left,
      String sealed) {
    return new Manifest(
        format, version, schema, created, database, rows, sums, saved, left, sealed);
  }
}
