package dev.trainyard.server.identity;

import dev.trainyard.server.user.Identities.Identity;
import java.util.Set;

/**
 * Somebody whom others vouch for.
 *
 * @param name what they would be called here; empty if nobody said
 * @param groups as they are called outside
 * @param groupsLeftOut whether there are groups that were not told
 */
public record Person(
    Identity identity,
    String name,
    String email,
    String displayName,
    Set<String> groups,
    boolean groupsLeftOut) {
  public Person {
    groups = Set.copyOf(groups);
  }
}
