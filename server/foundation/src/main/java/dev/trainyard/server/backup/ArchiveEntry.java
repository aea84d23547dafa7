package dev.trainyard.server.backup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * An entry of a backup. Names and link targets are bytes, as in Linux, represented as Latin-1 so
 * that all byte values are preserved.
 *
 * @param target target of a symbolic link, otherwise empty
 * @param size length of the content of a file, otherwise 0
 * @param modified in seconds since 1970
 * @param sparseSize the size of a sparse file including its holes, or -1; the content is then a map
 *     of the data extents followed by their data, as in {@link SparseContent}
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

  /** Returns the entry of the same file with its content in sparse form. */
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
   * Adds the attributes of the entry to the seal, which detects changes even if the content is
   * intact.
   */
  void updateSeal(MessageDigest seal) {
    String text = kind + " " + mode + " " + uid + " " + gid + " " + size + " " + modified;
    if (isSparse()) {
      text += " sparse " + sparseSize;
    }
    seal.update((text + "\n" + name + "\n" + target + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
