package dev.trainyard.server.user;

import java.util.List;

/**
 * Somebody to be made a user, found to be in order.
 *
 * @param passwordHash as {@link Passwords#hash} makes it; empty for no password, which none fits
 * @param disabled until an administrator has had a look
 */
public record NewUser(
    String name,
    String passwordHash,
    boolean admin,
    Profile profile,
    List<String> groups,
    List<String> virtualClusters,
    boolean disabled) {

  public NewUser {
    groups = List.copyOf(groups);
    virtualClusters = List.copyOf(virtualClusters);
  }

  /** One who may sign in at once. */
  public NewUser(
      String name,
      String passwordHash,
      boolean admin,
      Profile profile,
      List<String> groups,
      List<String> virtualClusters) {
    this(name, passwordHash, admin, profile, groups, virtualClusters, false);
  }

  /** Somebody who signs in by other means than a password; not an administrator by themselves. */
  public static NewUser withoutPassword(String name, Profile profile, boolean disabled) {
    return new NewUser(name, "", false, profile, List.of(), List.of(), disabled);
  }
}
