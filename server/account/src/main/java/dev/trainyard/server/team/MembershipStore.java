package dev.trainyard.server.team;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * SQL statements for group memberships. The administrator flag of a user always equals the
 * membership in the built-in group of administrators: a change of one also changes the other. Every
 * method runs in the caller's transaction.
 */
public final class MembershipStore {
  private MembershipStore() {}

  /** Adds the initial memberships of a new user. */
  public static void addInitial(Handle handle, String userId, boolean admin) {
    add(handle, Group.DEFAULT, userId);
    if (admin) {
      add(handle, Group.ADMINISTRATORS, userId);
    }
  }

  /** Sets or clears the administrator flag of a user, and changes the membership accordingly. */
  public static void setAdministrator(Handle handle, String userId, boolean admin) {
    if (admin) {
      add(handle, Group.ADMINISTRATORS, userId);
    } else {
      remove(handle, Group.ADMINISTRATORS, userId);
    }
  }

  /**
   * Returns the groups, other than the built-in group, that grant administrator rights to a user.
   */
  public static List<String> otherAdminGroups(Handle handle, String userId) {
    return handle
        .createQuery(
            "select g.name from team_group g join group_member m on m.group_name = g.name"
                + " where m.user_id = :user and g.admin = 1 and g.name <> :own order by g.name")
        .bind("user", userId)
        .bind("own", Group.ADMINISTRATORS)
        .mapTo(String.class)
        .list();
  }

  /**
   * Adds a local membership, which external issuers cannot remove. An existing external membership
   * becomes local. Returns whether anything was changed.
   */
  static boolean add(Handle handle, String group, String userId) {
    boolean added =
        handle.execute(
                "insert into group_member (group_name, user_id) values (?, ?)"
                    + " on conflict do nothing",
                group,
                userId)
            > 0;
    boolean madeLocal =
        !added
            && handle.execute(
                    "update group_member set told_by = null"
                        + " where group_name = ? and user_id = ? and told_by is not null",
                    group,
                    userId)
                > 0;
    setAdminFlag(handle, group, userId, 1);
    return added || madeLocal;
  }

  static boolean remove(Handle handle, String group, String userId) {
    boolean removed =
        handle.execute(
                "delete from group_member where group_name = ? and user_id = ?", group, userId)
            > 0;
    setAdminFlag(handle, group, userId, 0);
    return removed;
  }

  private static void setAdminFlag(Handle handle, String group, String userId, int admin) {
    if (group.equals(Group.ADMINISTRATORS)) {
      handle.execute("update users set admin = ? where id = ?", admin, userId);
    }
  }

  static List<String> memberIds(Handle handle, String group) {
    return handle
        .createQuery("select user_id from group_member where group_name = :group")
        .bind("group", group)
        .mapTo(String.class)
        .list();
  }

  /** Returns the names of the members, sorted. */
  static List<String> members(Handle handle, String group) {
    return handle
        .createQuery(
            "select u.name from group_member m join users u on u.id = m.user_id"
                + " where m.group_name = :group order by u.name_key")
        .bind("group", group)
        .mapTo(String.class)
        .list();
  }

  /** Returns the names of the groups of each user who is in a group, by user ID. */
  static Map<String, List<String>> groupsByUser(Handle handle) {
    Map<String, List<String>> groups = new HashMap<>();
    handle
        .createQuery("select user_id, group_name from group_member order by group_name")
        .map((rows, _) -> Map.entry(rows.getString("user_id"), rows.getString("group_name")))
        .forEach(
            member ->
                groups
                    .computeIfAbsent(member.getKey(), _ -> new ArrayList<>())
                    .add(member.getValue()));
    return groups;
  }

  static List<String> groupsOf(Handle handle, String userId) {
    return handle
        .createQuery(
            "select group_name from group_member where user_id = :user order by group_name")
        .bind("user", userId)
        .mapTo(String.class)
        .list();
  }

  /** Returns the groups to which an issuer has added a user. */
  static Set<String> groupsGrantedBy(Handle handle, String issuer, String userId) {
    return new HashSet<>(
        handle
            .createQuery(
                "select group_name from group_member where user_id = :user and told_by = :issuer")
            .bind("user", userId)
            .bind("issuer", issuer)
            .mapTo(String.class)
            .list());
  }

  /** Marks a membership as added by an issuer. */
  static void setIssuer(Handle handle, String group, String userId, String issuer) {
    handle.execute(
        "update group_member set told_by = ? where group_name = ? and user_id = ?",
        issuer,
        group,
        userId);
  }
}
