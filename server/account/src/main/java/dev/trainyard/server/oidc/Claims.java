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

  ExternalUser person(String subject) {
    String email = text("email");
    return new ExternalUser(
        new Identity(config.issuer(), subject),
        userName(text(config.userClaim())),
        ProfileFields.emailProblem(email).isEmpty() ? email : "",
        text("name"),
        groups(),
        leavesGroupsOut());
  }

  private String text(String claim) {
    return values.get(claim) instanceof String text ? text : "";
  }

  /** The groups claim is a list, or a plain string for a single group. */
  private Set<String> groups() {
    Set<String> names = new HashSet<>();
    Object value = values.get(config.groupsClaim());
    if (value instanceof String one) {
      names.add(one);
    } else if (value instanceof Collection<?> several) {
      several.stream()
          .limit(MAX_GROUPS)
          .filter(String.class::isInstance)
          .forEach(name -> names.add((String) name));
    }
    return names;
  }

  /** For a user in many groups, Entra ID returns only a reference to the group list. */
  private boolean leavesGroupsOut() {
    return !values.containsKey(config.groupsClaim())
        && values.get("_claim_names") instanceof Map<?, ?> elsewhere
        && elsewhere.containsKey(config.groupsClaim());
  }

  /**
   * Returns a valid user name: the local part of an email address, with invalid characters replaced
   * by dashes. Returns an empty string if nothing remains.
   */
  static String userName(String claimed) {
    int at = claimed.indexOf('@');
    String name = at > 0 ? claimed.substring(0, at) : claimed;
    String fit = name.replaceAll("[^A-Za-z0-9._-]+", "-");
    String cut = fit.length() > MAX_NAME_LENGTH ? fit.substring(0, MAX_NAME_LENGTH) : fit;
    return cut.replaceAll("^[-._]+|[-._]+$", "");
  }
}
