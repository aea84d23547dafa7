package dev.trainyard.server.oidc;

import java.util.Set;

/**
 * Whom the provider vouches for.
 *
 * @param subject the provider's own, lasting name of the person
 * @param name what they would be called here; empty if the provider did not say
 * @param groups as the provider calls them
 * @param groupsTold whether it said anything about groups: silence takes nobody out of a group
 */
record Person(
    String issuer,
    String subject,
    String name,
    String email,
    Set<String> groups,
    boolean groupsTold) {
  Person {
    groups = Set.copyOf(groups);
  }
}
