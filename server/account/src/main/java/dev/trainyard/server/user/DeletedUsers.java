package dev.trainyard.server.user;

import dev.trainyard.server.db.Db;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
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

  private record Deleted(String id, String name, String nameKey) {}

  void filesIn(DeletedUserFiles known) {
    files = known;
  }

  /** Records a deletion in the transaction that deletes the user. */
  static void insert(Handle handle, User user) {
    handle.execute(
        "insert into deleted_user (id, name, name_key) values (?, ?, ?)",
        user.id(),
        user.name(),
        UserNameRules.key(user.name()));
  }

  /** Returns whether a user of this name would find files of a deleted user. */
  static boolean hasFiles(Handle handle, String name) {
    return !handle
        .createQuery("select 1 from deleted_user where name_key = :key")
        .bind("key", UserNameRules.key(name))
        .setMaxRows(1)
        .mapTo(int.class)
        .list()
        .isEmpty();
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
  private synchronized void move(Predicate<Deleted> which) {
    for (Deleted deleted : list()) {
      if (which.test(deleted) && isMoved(deleted)) {
        db.write(handle -> handle.execute("delete from deleted_user where id = ?", deleted.id()));
      }
    }
  }

  private List<Deleted> list() {
    return db.read(
        handle ->
            handle
                .createQuery("select id, name, name_key from deleted_user order by id")
                .map(
                    (rows, context) ->
                        new Deleted(
                            rows.getString("id"),
                            rows.getString("name"),
                            rows.getString("name_key")))
                .list());
  }

  private boolean isMoved(Deleted deleted) {
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
