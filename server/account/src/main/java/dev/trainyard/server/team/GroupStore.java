package dev.trainyard.server.team;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Tables of groups and of their grants. Every method runs in the caller's transaction. */
final class GroupStore {
  static final String VIRTUAL_CLUSTER = "vc";
  static final String STORAGE = "storage";

  private static final String COLUMNS =
      "name, description, external_name, admin, limits, shares_jobs";

  private GroupStore() {}

  static List<Group> list(Handle handle) {
    Map<String, List<String>> clusters = grants(handle, VIRTUAL_CLUSTER);
    Map<String, List<String>> storages = grants(handle, STORAGE);
    return handle
        .createQuery("select " + COLUMNS + " from team_group order by name_key")
        .map((rows, _) -> group(rows))
        .map(
            group ->
                group
                    .withVirtualClusters(clusters.getOrDefault(group.name(), List.of()))
                    .withStorages(storages.getOrDefault(group.name(), List.of())))
        .list();
  }

  private static Map<String, List<String>> grants(Handle handle, String kind) {
    Map<String, List<String>> grants = new HashMap<>();
    handle
        .createQuery(
            "select group_name, name from group_grant where kind = :kind order by position")
        .bind("kind", kind)
        .map((rows, _) -> Map.entry(rows.getString(1), rows.getString(2)))
        .forEach(
            grant ->
                grants
                    .computeIfAbsent(grant.getKey(), _ -> new ArrayList<>())
                    .add(grant.getValue()));
    return grants;
  }

  static Optional<Group> find(Handle handle, String name) {
    return handle
        .createQuery("select " + COLUMNS + " from team_group where name_key = :key")
        .bind("key", TeamNameRules.key(name))
        .map((rows, _) -> group(rows))
        .findOne()
        .map(
            group ->
                group
                    .withVirtualClusters(grants(handle, group.name(), VIRTUAL_CLUSTER))
                    .withStorages(grants(handle, group.name(), STORAGE)));
  }

  private static List<String> grants(Handle handle, String group, String kind) {
    return handle
        .createQuery(
            "select name from group_grant where group_name = :group and kind = :kind"
                + " order by position")
        .bind("group", group)
        .bind("kind", kind)
        .mapTo(String.class)
        .list();
  }

  static void insert(Handle handle, Group group) {
    handle.execute(
        "insert into team_group (name, name_key, description, external_name, admin, limits,"
            + " shares_jobs) values (?, ?, ?, ?, ?, ?, ?)",
        group.name(),
        TeamNameRules.key(group.name()),
        group.description(),
        group.externalName(),
        group.admin() ? 1 : 0,
        limits(group),
        group.sharesJobs() ? 1 : 0);
    insertGrants(handle, group);
  }

  static void update(Handle handle, Group group) {
    handle.execute(
        "update team_group set description = ?, external_name = ?, admin = ?, limits = ?,"
            + " shares_jobs = ? where name = ?",
        group.description(),
        group.externalName(),
        group.admin() ? 1 : 0,
        limits(group),
        group.sharesJobs() ? 1 : 0,
        group.name());
    handle.execute("delete from group_grant where group_name = ?", group.name());
    insertGrants(handle, group);
  }

  private static void insertGrants(Handle handle, Group group) {
    insertGrants(handle, group.name(), VIRTUAL_CLUSTER, group.virtualClusters());
    insertGrants(handle, group.name(), STORAGE, group.storages());
  }

  private static void insertGrants(Handle handle, String group, String kind, List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      handle.execute(
          "insert into group_grant (group_name, kind, name, position) values (?, ?, ?, ?)",
          group,
          kind,
          names.get(i),
          i);
    }
  }

  static void delete(Handle handle, String name) {
    handle.execute("delete from group_grant where group_name = ?", name);
    handle.execute("delete from group_member where group_name = ?", name);
    handle.execute("delete from team_group where name = ?", name);
  }

  /** Deletes all grants of an object that is deleted. */
  static void deleteGrants(Handle handle, String kind, String name) {
    handle.execute("delete from group_grant where kind = ? and name = ?", kind, name);
  }

  /** Returns the names of the objects that the groups of a user grant, without duplicates. */
  static List<String> grantsOf(Handle handle, String userId, String kind) {
    return handle
        .createQuery(
            "select g.name from group_grant g join group_member m on m.group_name = g.group_name"
                + " where m.user_id = :user and g.kind = :kind"
                + " group by g.name order by min(g.position), g.name")
        .bind("user", userId)
        .bind("kind", kind)
        .mapTo(String.class)
        .list();
  }

  static boolean isGranted(Handle handle, String userId, String kind, String name) {
    return handle
        .createQuery(
            "select 1 from group_grant g join group_member m on m.group_name = g.group_name"
                + " where m.user_id = :user and g.kind = :kind and g.name = :name limit 1")
        .bind("user", userId)
        .bind("kind", kind)
        .bind("name", name)
        .mapTo(Integer.class)
        .findFirst()
        .isPresent();
  }

  static boolean sharesJobs(Handle handle, String userId) {
    return handle
        .createQuery(
            "select 1 from team_group g join group_member m on m.group_name = g.name"
                + " where m.user_id = :user and g.shares_jobs = 1 limit 1")
        .bind("user", userId)
        .mapTo(Integer.class)
        .findFirst()
        .isPresent();
  }

  private static String limits(Group group) {
    return StoredLimits.toJson(StoredLimits.view(group.limits()));
  }

  private static Group group(ResultSet rows) throws SQLException {
    return new Group(
        rows.getString("name"),
        rows.getString("description"),
        rows.getString("external_name"),
        rows.getInt("admin") != 0,
        List.of(),
        List.of(),
        StoredLimits.limits(rows.getString("limits")),
        rows.getInt("shares_jobs") != 0);
  }
}
