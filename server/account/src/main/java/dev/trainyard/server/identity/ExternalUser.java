package dev.trainyard.server.identity;

import dev.trainyard.server.user.IdentityStore.Identity;
import java.util.Set;

/**
 * A user authenticated by an external identity provider or directory.
 *
 * @param name the suggested user name; empty if none was provided
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

  /** External text may contain anything; characters that cannot be displayed are removed. */
  public ExternalUser {
    String printableName = displayName.replaceAll("\\p{Cntrl}+", " ").strip();
    displayName = printableName.length() > MAX_DISPLAY_NAME_LENGTH ? "" : printableName;
    groups = Set.copyOf(groups);
  }
}
