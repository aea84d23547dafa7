package dev.trainyard.engine.docker;

import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import java.nio.file.Path;

/**
 * A volume of one task that is to be mounted.
 *
 * @param mountPoint an empty directory, on which the volume is mounted
 * @param idRange the number of the platform user
 * @param user the user of the task's image
 */
record VolumeMount(
    Path source, Path mountPoint, Volume.Access access, int idRange, ImageUser user) {
  String userMapping(ServerAccount server) {
    return mapping(user.user(), server.isRoot(), server.user());
  }

  String groupMapping(ServerAccount server) {
    return mapping(user.group(), server.isRoot(), server.group());
  }

  /**
   * Returns the ID mapping. A server that is not root must be able to measure, read and delete its
   * users' files: therefore the image's user is the server's account on disk, and only IDs that a
   * task assigns itself belong to the platform user's range. In a shared directory, each user has
   * separate IDs even then.
   */
  private String mapping(int idInImage, boolean serverIsRoot, int serverId) {
    IdRange range = IdRange.of(idRange);
    if (access == Volume.Access.SHARED) {
      return ImageUser.mapping(range, idInImage)
          + IdRange.unused().base()
          + " "
          + range.base()
          + " 1\n";
    }
    return serverIsRoot
        ? ImageUser.mapping(range, idInImage)
        : ImageUser.mapping(range, idInImage, serverId);
  }
}
