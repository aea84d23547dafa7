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
public record ExternalUser(
    Identity identity,
    String name,
    String email,
    String displayName,
    Set<String> groups,
    boolean groupsLeftOut) {
  private static final int LONGEST_DISPLAY_NAME = 100;

  /** What outsiders call themselves may be anything; what can't be shown here is left out. */
  public ExternalUser {
    String clean = displayName.replaceAll("\\p{Cntrl}+", " ").strip();
    displayName = clean.length() > LONGEST_DISPLAY_NAME ? "" : clean;
    groups = Set.copyOf(groups);
  }
}
