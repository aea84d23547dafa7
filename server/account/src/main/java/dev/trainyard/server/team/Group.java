package dev.trainyard.server.team;

import java.util.List;

/**
 * A group of users with common rights. The rights of a user are the union of the rights of all
 * their groups.
 *
 * @param externalName name of the group in an external directory; empty for none
 * @param admin whether the members are administrators
 * @param virtualClusters virtual clusters in which the members may run jobs
 * @param storages storages that jobs of the members may use, default storages first
 * @param limits limits for each member, unless the member has their own
 * @param sharesJobs whether the members see each other's jobs
 */
public record Group(
    String name,
    String description,
    String externalName,
    boolean admin,
    List<String> virtualClusters,
    List<String> storages,
    Limits limits,
    boolean sharesJobs) {
  /** Name of the group of which every user is a member from creation on. */
  public static final String DEFAULT = "default";

  /**
   * Name of the group whose members are administrators; a user with the administrator flag is
   * always a member, and vice versa.
   */
  public static final String ADMINISTRATORS = "admingroup";

  public Group {
    virtualClusters = List.copyOf(virtualClusters);
    storages = List.copyOf(storages);
  }

  /** Returns a group without grants. */
  public static Group named(String name) {
    return new Group(name, "", "", false, List.of(), List.of(), Limits.NONE, false);
  }

  public Group withDescription(String text) {
    return new Group(
        name, text, externalName, admin, virtualClusters, storages, limits, sharesJobs);
  }

  public Group withExternalName(String newName) {
    return new Group(
        name, description, newName, admin, virtualClusters, storages, limits, sharesJobs);
  }

  public Group withAdmin(boolean enabled) {
    return new Group(
        name, description, externalName, enabled, virtualClusters, storages, limits, sharesJobs);
  }

  public Group withVirtualClusters(List<String> grantedNames) {
    return new Group(
        name, description, externalName, admin, grantedNames, storages, limits, sharesJobs);
  }

  public Group withStorages(List<String> grantedNames) {
    return new Group(
        name, description, externalName, admin, virtualClusters, grantedNames, limits, sharesJobs);
  }

  public Group withLimits(Limits newLimits) {
    return new Group(
        name, description, externalName, admin, virtualClusters, storages, newLimits, sharesJobs);
  }

  public Group withSharedJobs(boolean enabled) {
    return new Group(
        name, description, externalName, admin, virtualClusters, storages, limits, enabled);
  }

  boolean isBuiltIn() {
    return name.equals(DEFAULT) || name.equals(ADMINISTRATORS);
  }
}
