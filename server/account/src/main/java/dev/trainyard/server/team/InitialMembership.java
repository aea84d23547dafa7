package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Adds new users to groups. As in OpenPAI, a virtual cluster is granted to a user through the group
 * with the same name, which is created if it does not exist. Every method runs in the transaction
 * that creates the user.
 */
public final class InitialMembership {
  private InitialMembership() {}

  /** Returns the reason why users cannot be added to this group; empty if they can be added. */
  public static Optional<Message> groupProblem(Handle handle, String group) {
    return GroupStore.find(handle, group).isPresent()
        ? Optional.empty()
        : Optional.of(Message.of("error.no-group", "group", group));
  }

  /** Throws if any of the groups does not exist; the exception names all missing groups. */
  public static void requireGroups(Handle handle, List<String> groups) {
    List<Problem> problems = new ArrayList<>();
    for (String group : groups) {
      groupProblem(handle, group).ifPresent(problem -> problems.add(Problem.at("groups", problem)));
    }
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-fields", "count", problems.size()),
          problems);
    }
  }

  /**
   * Returns the reason why this virtual cluster cannot be granted to a new user; empty if it can be
   * granted.
   */
  public static Optional<Message> virtualClusterProblem(Handle handle, String name) {
    Optional<VirtualCluster> cluster = VirtualClusterStore.find(handle, name);
    if (cluster.isEmpty()) {
      return Optional.of(Message.of("error.no-vc", "vc", name));
    }
    Optional<Group> sameNameGroup = GroupStore.find(handle, cluster.get().name());
    return sameNameGroup.filter(group -> group.admin() || !grants(group, cluster.get())).isPresent()
        ? Optional.of(Message.of("error.vc-group", "vc", cluster.get().name()))
        : Optional.empty();
  }

  private static boolean grants(Group group, VirtualCluster cluster) {
    return group.virtualClusters().contains(cluster.name());
  }

  /**
   * Removes a new user from the group {@code default}, so that the user cannot also use the virtual
   * cluster {@code default}. Does nothing if the given names contain {@code default}, or if no
   * virtual cluster is given and no given group grants one.
   */
  public static void replaceDefault(
      Handle handle, String userId, List<String> groups, List<String> virtualClusters) {
    List<String> names = Stream.concat(groups.stream(), virtualClusters.stream()).toList();
    boolean grantsCluster =
        !virtualClusters.isEmpty()
            || groups.stream()
                .flatMap(name -> GroupStore.find(handle, name).stream())
                .anyMatch(group -> !group.virtualClusters().isEmpty());
    if (grantsCluster && names.stream().noneMatch(Group.DEFAULT::equalsIgnoreCase)) {
      MembershipStore.remove(handle, Group.DEFAULT, userId);
    }
  }

  /**
   * Adds a user to groups, and to the groups that grant the given virtual clusters. The names must
   * have passed {@link #groupProblem} and {@link #virtualClusterProblem}.
   */
  public static void assign(
      Handle handle, String userId, List<String> groups, List<String> virtualClusters) {
    for (String name : groups) {
      MembershipStore.add(handle, GroupStore.find(handle, name).orElseThrow().name(), userId);
    }
    for (String name : virtualClusters) {
      String cluster = VirtualClusterStore.find(handle, name).orElseThrow().name();
      if (GroupStore.find(handle, cluster).isEmpty()) {
        GroupStore.insert(handle, Group.named(cluster).withVirtualClusters(List.of(cluster)));
      }
      MembershipStore.add(handle, GroupStore.find(handle, cluster).orElseThrow().name(), userId);
    }
  }
}
