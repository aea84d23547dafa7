package dev.trainyard.server.openpai;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.team.VirtualCluster;
import dev.trainyard.server.user.User;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Grants virtual clusters to single users, as OpenPAI's API does. On this platform, groups have the
 * permissions. Therefore this class uses one group per virtual cluster, which has the same name and
 * grants only this virtual cluster; it creates the group when it is first needed.
 */
final class ClusterGroups {
  private final TeamService teams;

  ClusterGroups(TeamService teams) {
    this.teams = teams;
  }

  /** Returns the virtual clusters that a user may use. */
  Collection<String> of(User user) {
    return user.admin()
        ? teams.virtualClusters().stream().map(VirtualCluster::name).toList()
        : teams.virtualClustersOf(user.id());
  }

  void check(List<String> names) {
    for (String name : names) {
      if (teams.virtualCluster(name).isEmpty()) {
        throw new PaiException(400, "NoVirtualClusterError", "Vc " + name + " not found");
      }
    }
  }

  /**
   * Sets the virtual clusters that these groups grant to the user; memberships in other groups stay
   * unchanged.
   */
  void grant(Actor actor, User user, List<String> names) {
    Set<String> groups = new LinkedHashSet<>();
    for (String group : teams.groupsOf(user.id())) {
      if (group.equals(Group.DEFAULT)
          || teams.group(group).filter(this::isGroupOfCluster).isEmpty()) {
        groups.add(group);
      }
    }
    for (String name : names) {
      if (!name.equals(VirtualCluster.DEFAULT)) {
        groups.add(groupOfCluster(actor, name));
      }
    }
    teams.setGroups(actor, user.name(), List.copyOf(groups));
  }

  private boolean isGroupOfCluster(Group group) {
    return !group.admin() && group.virtualClusters().equals(List.of(group.name()));
  }

  private String groupOfCluster(Actor actor, String cluster) {
    Optional<Group> existing = teams.group(cluster);
    if (existing.isEmpty()) {
      Group group = Group.named(cluster).withVirtualClusters(List.of(cluster));
      return teams.createGroup(actor, group).name();
    }
    if (!existing.get().virtualClusters().contains(cluster)) {
      throw PaiException.invalid(
          "There is a group " + cluster + " that does not grant the virtual cluster.");
    }
    return existing.get().name();
  }
}
