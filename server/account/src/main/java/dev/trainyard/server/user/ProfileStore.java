package dev.trainyard.server.user;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Tables of profiles and SSH keys. Every method runs in the caller's transaction. */
final class ProfileStore {
  private static final String COLUMNS = "id, email, display_name, language, extension";

  private ProfileStore() {}

  static Profile load(Handle handle, String userId) {
    return handle
        .createQuery("select " + COLUMNS + " from users where id = :id")
        .bind("id", userId)
        .map((rows, context) -> profile(rows))
        .findOne()
        .orElse(Profile.EMPTY);
  }

  /** Returns the profiles of all users by user ID. */
  static Map<String, Profile> loadAll(Handle handle) {
    Map<String, Profile> all = new LinkedHashMap<>();
    handle
        .createQuery("select " + COLUMNS + " from users")
        .map((rows, context) -> Map.entry(rows.getString("id"), profile(rows)))
        .forEach(entry -> all.put(entry.getKey(), entry.getValue()));
    return all;
  }

  static void save(Handle handle, String userId, Profile profile) {
    handle.execute(
        "update users set email = ?, display_name = ?, language = ?, extension = ? where id = ?",
        profile.email(),
        profile.displayName(),
        profile.language(),
        profile.extension(),
        userId);
  }

  static List<SshKey> keys(Handle handle, String userId) {
    return handle
        .createQuery("select * from ssh_key where user_id = :user order by id")
        .bind("user", userId)
        .map((rows, context) -> key(rows))
        .list();
  }

  /** Inserts a key; returns false if the user already has this key. */
  static boolean insertKey(Handle handle, String userId, SshKey key) {
    return handle.execute(
            "insert into ssh_key (id, user_id, title, key_text, fingerprint, created)"
                + " values (?, ?, ?, ?, ?, ?) on conflict (user_id, fingerprint) do nothing",
            key.id(),
            userId,
            key.title(),
            key.text(),
            key.fingerprint(),
            key.created().toEpochMilli())
        > 0;
  }

  static void deleteKey(Handle handle, String userId, String id) {
    handle.execute("delete from ssh_key where user_id = ? and id = ?", userId, id);
  }

  private static Profile profile(ResultSet rows) throws SQLException {
    return new Profile(
        rows.getString("email"),
        rows.getString("display_name"),
        rows.getString("language"),
        rows.getString("extension"));
  }

  private static SshKey key(ResultSet rows) throws SQLException {
    return new SshKey(
        rows.getString("id"),
        rows.getString("title"),
        rows.getString("key_text"),
        rows.getString("fingerprint"),
        Instant.ofEpochMilli(rows.getLong("created")));
  }
}
