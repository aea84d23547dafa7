package dev.trainyard.server.team;

import java.util.List;

/**
 * Users who may do the same. A user's rights are those of all their groups together.
 *
 * @param externalName what an outside directory calls it; empty for nothing
 * @param admin whether its members are administrators
 * @param virtualClusters in which its members may run jobs
 * @param storages that jobs of its members may use, those given by themselves first
 * @param limits of each member, unless the member has own ones
 * @param sharesJobs whether its members see each other's jobs
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
  /** Everybody is in it from creation on. */
  public static final String DEFAULT = "default";

  /** Its members are administrators; who is one by a user's own flag is in it, and the reverse. */
  public static final String ADMINISTRATORS = "admingroup";

  public Group {
    virtualClusters = List.copyOf(virtualClusters);
    storages = List.copyOf(storages);
  }

  /** One that grants nothing yet. */
  public static Group named(String name) {
    return new Group(name, "", "", false, List.of(), List.of(), Limits.NONE, false);
  }

  public Group withDescription(String text) {
    return new Group(
        name, text, externalName, admin, virtualClusters, storages, limits, sharesJobs);
  }

  public Group withExternalName(String other) {
    return new Group(
        name, description, other, admin, virtualClusters, storages, limits, sharesJobs);
  }

  public Group withAdmin(boolean yes) {
    return new Group(
        name, description, externalName, yes, virtualClusters, storages, limits, sharesJobs);
  }

  public Group withVirtualClusters(List<String> granted) {
    return new Group(name, description, externalName, admin, granted, storages, limits, sharesJobs);
  }

  public Group withStorages(List<String> granted) {
    return new Group(
        name, description, externalName, admin, virtualClusters, granted, limits, sharesJobs);
  }

  public Group withLimits(Limits others) {
    return new Group(
        name, description, externalName, admin, virtualClusters, storages, others, sharesJobs);
  }

  public Group withSharedJobs(boolean yes) {
    return new Group(
        name, description, externalName, admin, virtualClusters, storages, limits, yes);
  }

  boolean isBuiltIn() {
    return name.equals(DEFAULT) || name.equals(ADMINISTRATORS);
  }
}
