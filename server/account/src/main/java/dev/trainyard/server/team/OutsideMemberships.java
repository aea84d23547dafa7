package dev.trainyard.server.team;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memberships that somebody outside tells, by the external names of groups. They may take back what
 * they gave, never what was given here or what somebody else outside told. Every method is part of
 * the caller's work.
 */
final class OutsideMemberships {
  private static final Logger LOG = LoggerFactory.getLogger(OutsideMemberships.class);

  private OutsideMemberships() {}

  /** What has changed. */
  record Changes(List<Group> joined, List<Group> left) {}

  /**
   * @param issuer who tells
   * @param told whether the person is in the group that has this name outside
   */
  static Changes follow(Handle handle, String userId, String issuer, Predicate<String> told) {
    Set<String> given = given(handle, userId, issuer);
    List<String> mine = Memberships.groupsOf(handle, userId);
    List<Group> joined = new ArrayList<>();
    List<Group> left = new ArrayList<>();
    for (Group group : GroupStore.list(handle)) {
      boolean wanted = !group.externalName().isEmpty() && told.test(group.externalName());
      if (wanted && !mine.contains(group.name())) {
        add(handle, group, userId, issuer);
        joined.add(group);
      } else if (!wanted && given.contains(group.name())) {
        if (remove(handle, group, userId, issuer)) {
          left.add(group);
        }
      }
    }
    return new Changes(joined, left);
  }

  private static Set<String> given(Handle handle, String userId, String issuer) {
    return new HashSet<>(
        handle
            .createQuery(
                "select group_name from group_member where user_id = :user and told_by = :issuer")
            .bind("user", userId)
            .bind("issuer", issuer)
            .mapTo(String.class)
            .list());
  }

  private static void add(Handle handle, Group group, String userId, String issuer) {
    Memberships.add(handle, group.name(), userId);
    handle.execute(
        "update group_member set told_by = ? where group_name = ? and user_id = ?",
        issuer,
        group.name(),
        userId);
  }

  /** The last administrator stays one, whoever says otherwise: nobody here could undo it. */
  private static boolean remove(Handle handle, Group group, String userId, String issuer) {
    Memberships.remove(handle, group.name(), userId);
    if (group.admin() && !Administrators.areThere(handle)) {
      add(handle, group, userId, issuer);
      LOG.warn("the last administrator stays in group {}, though no longer outside", group.name());
      return false;
    }
    return true;
  }
}
