package dev.trainyard.server.user;

import java.util.List;
import org.jdbi.v3.core.Handle;

/** SQL statements for {@link DeletedUsers}. */
final class DeletedUserStore {
  private DeletedUserStore() {}

  record DeletedUser(String id, String name, String nameKey) {}

  /** Records a deleted user. Must be called in the transaction that deletes the user. */
  static void insert(Handle handle, User user) {
    handle.execute(
        "insert into deleted_user (id, name, name_key) values (?, ?, ?)",
        user.id(),
        user.name(),
        UserNameRules.key(user.name()));
  }

  /** Returns whether files of a deleted user with this name still have their old path. */
  static boolean hasFiles(Handle handle, String name) {
    return !handle
        .createQuery("select 1 from deleted_user where name_key = :key")
        .bind("key", UserNameRules.key(name))
        .setMaxRows(1)
        .mapTo(int.class)
        .list()
        .isEmpty();
  }

  static List<DeletedUser> list(Handle handle) {
    return handle
        .createQuery("select id, name, name_key from deleted_user order by id")
        .map(
            (rows, context) ->
                new DeletedUser(
                    rows.getString("id"), rows.getString("name"), rows.getString("name_key")))
        .list();
  }

  static int delete(Handle handle, String id) {
    return handle.execute("delete from deleted_user where id = ?", id);
  }
}
