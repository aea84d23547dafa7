package dev.trainyard.server.user;

import java.io.IOException;

/**
 * Moves the files of deleted users away, so that a later user of the same name does not get them.
 */
@FunctionalInterface
public interface DeletedUserFiles {
  DeletedUserFiles NONE = (id, name) -> {};

  /**
   * Moves the files. May be called again for the same user, for example after a crash. The files
   * must not return to their old path even after a power failure.
   */
  void moveAway(String id, String name) throws IOException;
}
