package dev.trainyard.engine.docker;

import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import java.nio.file.Path;

/**
 * A volume of one task to mount.
 *
 * @param on an empty directory
 * @param idRange the number of the platform user
 * @param user the user of the task's image
 */
record VolumeMount(Path source, Path on, Volume.Access access, int idRange, ImageUser user) {
  String users(ServerAccount server) {
    return mapping(user.user(), server.isRoot(), server.user());
  }

  String groups(ServerAccount server) {
    return mapping(user.group(), server.isRoot(), server.group());
  }

  /**
   * Returns the ID mapping. A server that is not root must be able to measure, read and delete its
   * users' files: there the image's user is the server's account on disk, and only IDs that a task
   * assigns itself belong to the platform user's range. In a shared directory each user has
   * separate IDs in any case.
   */
  private String mapping(int own, boolean root, int account) {
    IdRange range = IdRange.of(idRange);
    if (access == Volume.Access.SHARED) {
      return ImageUser.mapping(range, own) + IdRange.spare().base() + " " + range.base() + " 1\n";
    }
    return root ? ImageUser.mapping(range, own) : ImageUser.mapping(range, own, account);
  }
}
