package dev.trainyard.server.image;

import dev.trainyard.server.secret.SealedSecrets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for {@link RegistryLogins}. */
final class RegistryLoginStore {
  private static final String SELECT =
      "select id, host, group_name, account, key_id, sealed, created from registry_login ";

  private RegistryLoginStore() {}

  /** A login with its encrypted password. */
  record SealedLogin(StoredLogin login, SealedSecrets sealed) {}

  /** Returns a user's own logins and the logins of all groups. */
  static List<StoredLogin> list(Handle handle, String userId) {
    return handle
        .createQuery(SELECT + "where user_id = :user or group_name is not null order by host, id")
        .bind("user", userId)
        .map((rows, _) -> login(rows))
        .list();
  }

  /** Returns the logins that a user may use for a registry, the user's own login first. */
  static List<SealedLogin> listUsable(Handle handle, String userId, String host) {
    return handle
        .createQuery(
            SELECT
                + "where host = :host and (user_id = :user or group_name in (select"
                + " group_name from group_member where user_id = :user)) order by case"
                + " when group_name is null then 0 else 1 end, group_name")
        .bind("host", host)
        .bind("user", userId)
        .map((rows, _) -> new SealedLogin(login(rows), sealed(rows)))
        .list();
  }

  /**
   * Stores a login; replaces the existing login of the same group or user for the same registry.
   *
   * @param userId the owner of a login without a group
   */
  static void put(Handle handle, StoredLogin login, String userId, SealedSecrets sealed) {
    String host = login.host();
    if (login.group().isPresent()) {
      handle.execute(
          "delete from registry_login where host = ? and group_name = ?",
          host,
          login.group().get());
    } else {
      handle.execute("delete from registry_login where host = ? and user_id = ?", host, userId);
    }
    handle.execute(
        "insert into registry_login"
            + " (id, host, user_id, group_name, account, key_id, sealed, created)"
            + " values (?, ?, ?, ?, ?, ?, ?, ?)",
        login.id(),
        host,
        login.group().isPresent() ? null : userId,
        login.group().orElse(null),
        login.account(),
        sealed.key(),
        sealed.sealed(),
        login.created().toEpochMilli());
  }

  static void delete(Handle handle, String id) {
    handle.execute("delete from registry_login where id = ?", id);
  }

  private static SealedSecrets sealed(ResultSet rows) throws SQLException {
    return new SealedSecrets(rows.getString("key_id"), rows.getString("sealed"));
  }

  private static StoredLogin login(ResultSet rows) throws SQLException {
    return new StoredLogin(
        rows.getString("id"),
        rows.getString("host"),
        Optional.ofNullable(rows.getString("group_name")),
        rows.getString("account"),
        Instant.ofEpochMilli(rows.getLong("created")));
  }
}
