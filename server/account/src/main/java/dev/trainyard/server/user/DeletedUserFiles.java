package dev.trainyard.server.user;

import java.io.IOException;

/**
 * Moves the files of deleted users to another path, so that a later user with the same name has no
 * access to them.
 */
@FunctionalInterface
public interface DeletedUserFiles {
  DeletedUserFiles NONE = (id, name) -> {};

  /**
   * Moves the files of a user. May be called again for the same user, for example after a crash.
   * When this method has returned, the files must not reappear at their old path, even after a
   * power failure.
   */
  void moveAway(String id, String name) throws IOException;
}
