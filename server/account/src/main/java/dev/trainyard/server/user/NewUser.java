package dev.trainyard.server.user;

import java.util.List;

/**
 * A validated user to be created.
 *
 * @param passwordHash result of {@link Passwords#hash}; empty for a user without a password
 * @param disabled whether the user is disabled until an administrator approves the sign-up
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

  /** Creates a user who can sign in immediately. */
  public NewUser(
      String name,
      String passwordHash,
      boolean admin,
      Profile profile,
      List<String> groups,
      List<String> virtualClusters) {
    this(name, passwordHash, admin, profile, groups, virtualClusters, false);
  }

  /** Creates a user without administrator rights who signs in by means other than a password. */
  public static NewUser withoutPassword(String name, Profile profile, boolean disabled) {
    return new NewUser(name, "", false, profile, List.of(), List.of(), disabled);
  }
}
