package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.IdRange;

/**
 * The user and group ID that an image's programs run with.
 *
 * @param user 0 for most images
 */
record ImageUser(int user, int group) {
  static final ImageUser ROOT = new ImageUser(0, 0);

  /**
   * Returns the ID mapping of a mount of a platform user's files, in the format of the kernel: ID 0
   * of the range is the image's user, whatever its ID, so that a home directory is writable from
   * every image and files written there belong to the same ID on disk. Files of other users have no
   * ID there.
   */
  static String mapping(IdRange range, int own) {
    return mapping(range, own, range.base());
  }

  /**
   * Like {@link #mapping(IdRange, int)}, but the image's user has another ID on disk than the first
   * of the range.
   *
   * @param disk an ID outside of the range, or its first
   */
  static String mapping(IdRange range, int own, int disk) {
    int base = range.base();
    if (own == 0 && disk == base) {
      return base + " 0 " + IdRange.SIZE + "\n";
    }
    StringBuilder text = new StringBuilder();
    text.append(disk).append(' ').append(own).append(" 1\n");
    if (own >= IdRange.SIZE) {
      // The user is outside of the range: no other ID has to be moved, and the image's root user
      // has no ID.
      return text.append(base + 1).append(" 1 ").append(IdRange.SIZE - 1).append('\n').toString();
    }
    if (own > 0) {
      text.append(base + own).append(" 0 1\n");
    }
    if (own > 1) {
      text.append(base + 1).append(" 1 ").append(own - 1).append('\n');
    }
    if (own < IdRange.SIZE - 1) {
      text.append(base + own + 1).append(' ').append(own + 1).append(' ');
      text.append(IdRange.SIZE - 1 - own).append('\n');
    }
    return text.toString();
  }
}
