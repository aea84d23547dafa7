package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.IdRange;

/**
 * The ids that an image's programs run under.
 *
 * @param user 0 for most images
 */
record ImageUser(int user, int group) {
  static final ImageUser ROOT = new ImageUser(0, 0);

  /**
   * How a mount shows a platform user's files, as the kernel wants it: id 0 of the range is the
   * image's user, whoever that is, so that a home is writable from every image and what is written
   * there belongs to the same id on the disk. Nobody else's files have an id there.
   */
  static String mapping(IdRange range, int own) {
    return mapping(range, own, range.base());
  }

  /**
   * The same, where the image's user is another id on the disk than the first of the range.
   *
   * @param disk outside of the range, or its first
   */
  static String mapping(IdRange range, int own, int disk) {
    int base = range.base();
    if (own == 0 && disk == base) {
      return base + " 0 " + IdRange.SIZE + "\n";
    }
    StringBuilder text = new StringBuilder();
    text.append(disk).append(' ').append(own).append(" 1\n");
    if (own >= IdRange.SIZE) {
      // Beyond what a range holds: nothing makes room for it, and root of the image has no id.
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
