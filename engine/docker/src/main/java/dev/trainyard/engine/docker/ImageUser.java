package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.IdRange;

/**
 * The user and group ID that an image's programs run with.
 *
 * @param user user ID, which is 0 for most images
 */
record ImageUser(int user, int group) {
  static final ImageUser ROOT = new ImageUser(0, 0);

  /**
   * Returns the ID mapping of a mount of a platform user's files, in the format of the kernel. The
   * first ID of the range is mapped to the image's user, whatever the ID of that user is, so that a
   * home directory is writable from every image and files written there belong to the same ID on
   * disk. Files of other platform users have no ID in the mount.
   */
  static String mapping(IdRange range, int idInImage) {
    return mapping(range, idInImage, range.base());
  }

  /**
   * Like {@link #mapping(IdRange, int)}, but with another ID of the image's user on disk.
   *
   * @param idOnDisk ID of the image's user on disk: an ID outside of the range, or the first ID of
   *     the range
   */
  static String mapping(IdRange range, int idInImage, int idOnDisk) {
    int base = range.base();
    if (idInImage == 0 && idOnDisk == base) {
      return base + " 0 " + IdRange.SIZE + "\n";
    }
    StringBuilder text = new StringBuilder();
    text.append(idOnDisk).append(' ').append(idInImage).append(" 1\n");
    if (idInImage >= IdRange.SIZE) {
      // The user is outside of the range: no other ID has to be moved, and the image's root user
      // has no ID.
      return text.append(base + 1).append(" 1 ").append(IdRange.SIZE - 1).append('\n').toString();
    }
    if (idInImage > 0) {
      text.append(base + idInImage).append(" 0 1\n");
    }
    if (idInImage > 1) {
      text.append(base + 1).append(" 1 ").append(idInImage - 1).append('\n');
    }
    if (idInImage < IdRange.SIZE - 1) {
      text.append(base + idInImage + 1).append(' ').append(idInImage + 1).append(' ');
      text.append(IdRange.SIZE - 1 - idInImage).append('\n');
    }
    return text.toString();
  }
}
