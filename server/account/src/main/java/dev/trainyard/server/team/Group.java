package dev.trainyard.server.team;

import java.util.List;

/**
 * A group of users with common rights. The rights of a user are the union of the rights of all
 * their groups.
 *
 * @param externalName name of the group at external issuers; empty for none
 * @param admin whether the members are administrators
 * @param virtualClusters virtual clusters in which the members may run jobs
 * @param storages storages that jobs of the members may use; the first is the default storage in
 *     OpenPAI's API
 * @param limits limits of each member; the member's own limits take precedence
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
  /** Name of the group to which every new user is added. */
  public static final String DEFAULT = "default";

  /**
   * Name of the built-in group of administrators. A user is a member of this group if and only if
   * the user has the administrator flag.
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
