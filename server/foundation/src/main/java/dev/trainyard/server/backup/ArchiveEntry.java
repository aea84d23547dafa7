package dev.trainyard.server.backup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * An entry of a backup. Names and link targets are sequences of bytes, as in Linux. They are
 * represented as Latin-1 text, which preserves all byte values.
 *
 * @param size length of the stored content of a file; 0 for other entries
 * @param modified time of the last modification, in seconds since 1970
 * @param target target of a symbolic link; empty for other entries
 * @param sparseSize size of a sparse file including its holes; -1 for other entries. The stored
 *     content of a sparse file is a map of its data extents, followed by their data, see {@link
 *     SparseContent}
 */
public record ArchiveEntry(
    String name,
    Kind kind,
    int mode,
    int uid,
    int gid,
    long size,
    long modified,
    String target,
    long sparseSize) {
  private static final long NOT_SPARSE = -1;

  /** Type of an entry. */
  public enum Kind {
    FILE('0'),
    LINK('2'),
    DIRECTORY('5');

    private final char flag;

    Kind(char flag) {
      this.flag = flag;
    }

    char flag() {
      return flag;
    }
  }

  /** Creates an entry whose content is stored without a map of holes. */
  public ArchiveEntry(
      String name, Kind kind, int mode, int uid, int gid, long size, long modified, String target) {
    this(name, kind, mode, uid, gid, size, modified, target, NOT_SPARSE);
  }

  /** Returns an entry for the same file whose content is stored in sparse form. */
  ArchiveEntry asSparse(long storedSize, long fileSize) {
    return new ArchiveEntry(name, kind, mode, uid, gid, storedSize, modified, target, fileSize);
  }

  boolean isSparse() {
    return sparseSize != NOT_SPARSE;
  }

  /** Creates an entry for a file of the server itself. */
  static ArchiveEntry ofServer(String name, long size, long modified) {
    return new ArchiveEntry(name, Kind.FILE, 0600, 0, 0, size, modified, "");
  }

  /**
   * Adds the attributes of the entry to the seal, so that the seal also detects changed attributes.
   */
  void updateSeal(MessageDigest seal) {
    String text = kind + " " + mode + " " + uid + " " + gid + " " + size + " " + modified;
    if (isSparse()) {
      text += " sparse " + sparseSize;
    }
    seal.update((text + "\n" + name + "\n" + target + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
