package dev.trainyard.server.backup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * One thing in a backup. Names and link targets are bytes, as Linux has them, written as Latin-1 so
 * that none is lost.
 *
 * @param target of a symbolic link, else empty
 * @param size of a file's content, else 0
 * @param modified in seconds since 1970
 */
public record ArchiveEntry(
    String name, Kind kind, int mode, int uid, int gid, long size, long modified, String target) {
  /** What can be in one. */
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

  /** A file that belongs to the server itself. */
  static ArchiveEntry ours(String name, long size, long modified) {
    return new ArchiveEntry(name, Kind.FILE, 0600, 0, 0, size, modified, "");
  }

  /** What is left to check where the content was not changed. */
  void updateSeal(MessageDigest seal) {
    String text = kind + " " + mode + " " + uid + " " + gid + " " + size + " " + modified;
    seal.update((text + "\n" + name + "\n" + target + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
