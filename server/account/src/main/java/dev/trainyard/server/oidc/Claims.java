package dev.trainyard.server.oidc;

import dev.trainyard.server.identity.ExternalUser;
import dev.trainyard.server.user.IdentityStore.Identity;
import dev.trainyard.server.user.ProfileFields;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Claims of a provider about a user, parsed leniently because providers differ in details. */
record Claims(OidcConfig config, Map<String, Object> values) {
  private static final int MAX_GROUPS = 10_000;
  private static final int MAX_NAME_LENGTH = 64;

  ExternalUser externalUser(String subject) {
    String email = text("email");
    return new ExternalUser(
        new Identity(config.issuer(), subject),
        userName(text(config.userClaim())),
        ProfileFields.emailProblem(email).isEmpty() ? email : "",
        text("name"),
        groups(),
        omitsGroups());
  }

  private String text(String claim) {
    return values.get(claim) instanceof String text ? text : "";
  }

  /** Returns the groups. The claim is a list of names, or a string if there is a single group. */
  private Set<String> groups() {
    Set<String> names = new HashSet<>();
    Object value = values.get(config.groupsClaim());
    if (value instanceof String groupName) {
      names.add(groupName);
    } else if (value instanceof Collection<?> groupNames) {
      groupNames.stream()
          .limit(MAX_GROUPS)
          .filter(String.class::isInstance)
          .forEach(name -> names.add((String) name));
    }
    return names;
  }

  /**
   * Returns whether the provider omitted the groups. For a user in many groups, Entra ID returns
   * only a reference to the list of groups.
   */
  private boolean omitsGroups() {
    return !values.containsKey(config.groupsClaim())
        && values.get("_claim_names") instanceof Map<?, ?> distributedClaims
        && distributedClaims.containsKey(config.groupsClaim());
  }

  /**
   * Returns a valid user name for a claim, which may be a name or an email address: the part before
   * the at sign, with invalid characters replaced by dashes. Returns an empty string if nothing
   * remains.
   */
  static String userName(String claim) {
    int at = claim.indexOf('@');
    String name = at > 0 ? claim.substring(0, at) : claim;
    String validName = name.replaceAll("[^A-Za-z0-9._-]+", "-");
    String truncatedName =
        validName.length() > MAX_NAME_LENGTH ? validName.substring(0, MAX_NAME_LENGTH) : validName;
    return truncatedName.replaceAll("^[-._]+|[-._]+$", "");
  }
}
