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
 * Deleted users whose files still have their old path. A crash, or a failed rename, can separate
 * the deletion of a user from the move of the files; the row remains until the move succeeded.
 * Thread-safe.
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
   * Synchronized, including the query: otherwise a thread could move the files of a new user, who
   * was created after another thread had moved those of the deleted one.
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
