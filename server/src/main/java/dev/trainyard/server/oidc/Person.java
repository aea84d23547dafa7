package dev.trainyard.server.oidc;

import dev.trainyard.server.user.Identities.Identity;
import java.util.Set;

/**
 * Whom the provider vouches for.
 *
 * @param name what they would be called here; empty if the provider did not say
 * @param groups as the provider calls them
 * @param groupsLeftOut whether there are groups that the provider did not tell
 */
record Person(
    Identity identity,
    String name,
    String email,
    String displayName,
    Set<String> groups,
    boolean groupsLeftOut) {
  Person {
    groups = Set.copyOf(groups);
  }
}
