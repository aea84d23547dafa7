package dev.trainyard.server.identity;

import dev.trainyard.server.user.IdentityStore.Identity;
import java.util.Set;

/**
 * A user authenticated by an external identity provider or directory.
 *
 * @param name the user name that the issuer suggests; empty if it suggests none
 * @param groups the external names of the groups
 * @param groupsIncomplete whether the issuer omitted some or all of the groups
 */
public record ExternalUser(
    Identity identity,
    String name,
    String email,
    String displayName,
    Set<String> groups,
    boolean groupsIncomplete) {
  private static final int MAX_DISPLAY_NAME_LENGTH = 100;

  /**
   * Replaces control characters in the display name, because external text may contain any
   * character.
   */
  public ExternalUser {
    String printableName = displayName.replaceAll("\\p{Cntrl}+", " ").strip();
    displayName = printableName.length() > MAX_DISPLAY_NAME_LENGTH ? "" : printableName;
    groups = Set.copyOf(groups);
  }
}
