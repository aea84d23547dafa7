package dev.trainyard.server.image;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for registries, and for the groups that may use them. */
final class RegistryStore {
  private static final String SELECT =
      "select host, plain_http, description, groups_json from registry ";

  private RegistryStore() {}

  static List<Registry> list(Handle handle) {
    return handle.createQuery(SELECT + "order by host").map((rows, _) -> registry(rows)).list();
  }

  static Optional<Registry> find(Handle handle, String host) {
    return handle
        .createQuery(SELECT + "where host = :host")
        .bind("host", host)
        .map((rows, _) -> registry(rows))
        .findOne();
  }

  static void insert(Handle handle, Registry registry) {
    handle.execute(
        "insert into registry (host, plain_http, description, groups_json)"
            + " values (?, ?, ?, ?)",
        registry.host(),
        registry.plainHttp() ? 1 : 0,
        registry.description(),
        StoredTexts.write(registry.groups()));
  }

  static void delete(Handle handle, String host) {
    handle.execute("delete from registry where host = ?", host);
  }

  static List<String> groupsOf(Handle handle, String userId) {
    return handle
        .createQuery("select group_name from group_member where user_id = :user")
        .bind("user", userId)
        .mapTo(String.class)
        .list();
  }

  static boolean hasGroup(Handle handle, String group) {
    return handle
        .createQuery("select 1 from team_group where name = :name")
        .bind("name", group)
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  private static Registry registry(ResultSet rows) throws SQLException {
    return new Registry(
        rows.getString("host"),
        rows.getInt("plain_http") != 0,
        rows.getString("description"),
        StoredTexts.read(rows.getString("groups_json")));
  }
}
