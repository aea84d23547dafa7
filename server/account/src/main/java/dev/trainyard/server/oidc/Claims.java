package dev.trainyard.server.oidc;

import dev.trainyard.server.identity.ExternalUser;
import dev.trainyard.server.user.Identities.Identity;
import dev.trainyard.server.user.ProfileFields;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a provider says about a person, read leniently: every product says it a little otherwise.
 */
record Claims(OidcConfig config, Map<String, Object> values) {
  private static final int MOST_GROUPS = 10_000;
  private static final int LONGEST_NAME = 64;

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

  /** Groups are told as a list, or one by its bare name. */
  private Set<String> groups() {
    Set<String> names = new HashSet<>();
    Object told = values.get(config.groupsClaim());
    if (told instanceof String one) {
      names.add(one);
    } else if (told instanceof Collection<?> several) {
      several.stream()
          .limit(MOST_GROUPS)
          .filter(String.class::isInstance)
          .forEach(name -> names.add((String) name));
    }
    return names;
  }

  /** Entra ID says only where to ask for the groups of those who are in very many. */
  private boolean leavesGroupsOut() {
    return !values.containsKey(config.groupsClaim())
        && values.get("_claim_names") instanceof Map<?, ?> elsewhere
        && elsewhere.containsKey(config.groupsClaim());
  }

  /**
   * An address becomes the name before its at sign; what no name here may have becomes a dash.
   * Empty if nothing is left.
   */
  static String userName(String claimed) {
    int at = claimed.indexOf('@');
    String name = at > 0 ? claimed.substring(0, at) : claimed;
    String fit = name.replaceAll("[^A-Za-z0-9._-]+", "-");
    String cut = fit.length() > LONGEST_NAME ? fit.substring(0, LONGEST_NAME) : fit;
    return cut.replaceAll("^[-._]+|[-._]+$", "");
  }
}
