package dev.trainyard.server.user;

import java.util.List;

/**
 * Somebody to be made a user, found to be in order.
 *
 * @param passwordHash as {@link Passwords#hash} makes it
 */
public record NewUser(
    String name,
    String passwordHash,
    boolean admin,
    Profile profile,
    List<String> groups,
    List<String> virtualClusters) {

  public NewUser {
    groups = List.copyOf(groups);
    virtualClusters = List.copyOf(virtualClusters);
  }
}
