package dev.trainyard.server.user;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.user.DeletedUserStore.DeletedUser;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deleted users whose files still have their old path. The files are moved after the user is
 * deleted, and the row of the deleted user remains until the move has succeeded, even if the server
 * crashes or a rename fails in between. Thread-safe.
 */
final class DeletedUsers {
  private static final Logger LOG = LoggerFactory.getLogger(DeletedUsers.class);

  private final Db db;
  private volatile DeletedUserFiles files = DeletedUserFiles.NONE;

  DeletedUsers(Db db) {
    this.db = db;
  }

  void setUserFiles(DeletedUserFiles userFiles) {
    files = userFiles;
  }

  void moveAll() {
    move(deleted -> true);
  }

  void move(Collection<String> names) {
    Set<String> keys = names.stream().map(UserNameRules::key).collect(Collectors.toSet());
    move(deleted -> keys.contains(deleted.nameKey()));
  }

  /**
   * Synchronized including the query. Otherwise, after another thread has moved the files of a
   * deleted user and a new user with the same name was created, this thread could move the files of
   * the new user.
   */
  private synchronized void move(Predicate<DeletedUser> filter) {
    for (DeletedUser deleted : db.read(DeletedUserStore::list)) {
      if (filter.test(deleted) && tryMove(deleted)) {
        db.write(handle -> DeletedUserStore.delete(handle, deleted.id()));
      }
    }
  }

  private boolean tryMove(DeletedUser deleted) {
    try {
      files.moveAway(deleted.id(), deleted.name());
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "failed to move the files of the deleted user {}; no user with this name can be created;"
              + " will retry",
          deleted.name(),
          e);
      return false;
    }
  }
}
