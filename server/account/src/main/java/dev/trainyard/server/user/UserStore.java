package dev.trainyard.server.user;

import dev.trainyard.server.team.AdministratorStore;
import dev.trainyard.server.team.MembershipStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Table of users. Every method runs in the caller's transaction. */
public final class UserStore {
  /**
   * Columns of a user in the table alias u. The value of admin is effective: it is set by the
   * user's flag or by a group.
   */
  private static final String COLUMNS =
      "u.id, u.name, "
          + AdministratorStore.IS_ADMIN
          + " as admin, u.disabled, u.id_range, u.created";

  private UserStore() {}

  static void insert(Handle handle, User user, String passwordHash) {
    handle
        .createUpdate(
            "insert into users (id, name, name_key, password, admin, disabled, id_range, created)"
                + " values (:id, :name, :key, :password, :admin, :disabled, :idRange, :created)")
        .bind("id", user.id())
        .bind("name", user.name())
        .bind("key", UserNameRules.key(user.name()))
        .bind("password", passwordHash)
        .bind("admin", user.admin() ? 1 : 0)
        .bind("disabled", user.disabled() ? 1 : 0)
        .bind("idRange", user.idRange())
        .bind("created", user.created().toEpochMilli())
        .execute();
    MembershipStore.addInitial(handle, user.id(), user.admin());
  }

  /** Returns a number that no other user has or has had. */
  static int nextIdRange(Handle handle) {
    handle.execute("update counter set next_value = next_value + 1 where name = 'id_range'");
    return handle
        .createQuery("select next_value - 1 from counter where name = 'id_range'")
        .mapTo(Integer.class)
        .one();
  }

  public static Optional<User> find(Handle handle, String name) {
    return handle
        .createQuery("select " + COLUMNS + " from users u where u.name_key = :key")
        .bind("key", UserNameRules.key(name))
        .map((rows, context) -> user(rows))
        .findOne();
  }

  public static long count(Handle handle) {
    return handle.createQuery("select count(*) from users").mapTo(Long.class).one();
  }

  static List<User> list(Handle handle) {
    return handle
        .createQuery("select " + COLUMNS + " from users u order by u.name_key")
        .map((rows, context) -> user(rows))
        .list();
  }

  static boolean isEmpty(Handle handle) {
    return handle
        .createQuery("select 1 from users")
        .setMaxRows(1)
        .mapTo(int.class)
        .list()
        .isEmpty();
  }

  /** Returns the administrators who can sign in, oldest first. */
  static List<User> activeAdministrators(Handle handle) {
    return handle
        .createQuery(
            "select "
                + COLUMNS
                + " from users u where u.disabled = 0 and ("
                + AdministratorStore.IS_ADMIN
                + ") = 1 order by u.created, u.id")
        .map((rows, context) -> user(rows))
        .list();
  }

  /**
   * Returns the password hash of a user; empty if the user has no password and signs in by other
   * means.
   */
  static Optional<String> passwordHash(Handle handle, String id) {
    return handle
        .createQuery("select password from users where id = :id")
        .bind("id", id)
        .mapTo(String.class)
        .findOne()
        .filter(hash -> !hash.isEmpty());
  }

  static void changePassword(Handle handle, String id, String passwordHash) {
    handle.execute("update users set password = ? where id = ?", passwordHash, id);
  }

  static void setDisabled(Handle handle, String id, boolean disabled) {
    handle.execute("update users set disabled = ? where id = ?", disabled ? 1 : 0, id);
  }

  static void delete(Handle handle, String id) {
    handle.execute("delete from users where id = ?", id);
  }

  private static User user(ResultSet rows) throws SQLException {
    return new User(
        rows.getString("id"),
        rows.getString("name"),
        rows.getInt("admin") != 0,
        rows.getInt("disabled") != 0,
        rows.getInt("id_range"),
        Instant.ofEpochMilli(rows.getLong("created")));
  }
}
