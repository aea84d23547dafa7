package dev.trainyard.server.team;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memberships that external issuers report, by the external names of groups. An issuer can remove a
 * user only from groups to which this issuer has added the user, not from groups to which the user
 * was added locally or by another issuer. Every method runs in the caller's transaction.
 */
final class ExternalMemberships {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalMemberships.class);

  private ExternalMemberships() {}

  /** Groups that the user joined or left. */
  record Changes(List<Group> joined, List<Group> left) {}

  /**
   * Updates the memberships of a user as an issuer reports them.
   *
   * @param issuer the issuer that reports the memberships
   * @param isMember returns whether the user is a member of the group with this external name
   */
  static Changes sync(Handle handle, String userId, String issuer, Predicate<String> isMember) {
    Set<String> grantedGroups = MembershipStore.groupsGrantedBy(handle, issuer, userId);
    List<String> currentGroups = MembershipStore.groupsOf(handle, userId);
    List<Group> joinedGroups = new ArrayList<>();
    List<Group> leftGroups = new ArrayList<>();
    for (Group group : GroupStore.list(handle)) {
      boolean reported = !group.externalName().isEmpty() && isMember.test(group.externalName());
      if (reported && !currentGroups.contains(group.name())) {
        add(handle, group, userId, issuer);
        joinedGroups.add(group);
      } else if (!reported && grantedGroups.contains(group.name())) {
        if (remove(handle, group, userId, issuer)) {
          leftGroups.add(group);
        }
      }
    }
    return new Changes(joinedGroups, leftGroups);
  }

  private static void add(Handle handle, Group group, String userId, String issuer) {
    MembershipStore.add(handle, group.name(), userId);
    MembershipStore.setIssuer(handle, group.name(), userId, issuer);
  }

  /**
   * Removes a membership and returns true. If the user is the last administrator, keeps the
   * membership and returns false, because no other user could then restore administrator rights.
   */
  private static boolean remove(Handle handle, Group group, String userId, String issuer) {
    MembershipStore.remove(handle, group.name(), userId);
    if (group.admin() && !AdministratorStore.exist(handle)) {
      add(handle, group, userId, issuer);
      LOG.warn("the issuer removed the last administrator from group {}; ignored", group.name());
      return false;
    }
    return true;
  }
}
