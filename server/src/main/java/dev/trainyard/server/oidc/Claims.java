package dev.trainyard.server.oidc;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a provider says about a person, read leniently: every product says it a little otherwise.
 */
record Claims(OidcConfig config, Map<String, Object> values) {
  private static final int MOST_GROUPS = 10_000;

  Person person(String subject) {
    Object groups = values.get(config.groupsClaim());
    return new Person(
        config.issuer(),
        subject,
        userName(text(config.userClaim())),
        text("email"),
        names(groups),
        groups != null);
  }

  private String text(String claim) {
    return values.get(claim) instanceof String text ? text : "";
  }

  /** Groups are told as a list, or one by its bare name. */
  private static Set<String> names(Object groups) {
    Set<String> names = new HashSet<>();
    if (groups instanceof String one) {
      names.add(one);
    } else if (groups instanceof Collection<?> several) {
      several.stream()
          .limit(MOST_GROUPS)
          .filter(String.class::isInstance)
          .forEach(name -> names.add((String) name));
    }
    return names;
  }

  /** An address becomes the name before its at sign; what no name here may have becomes a dash. */
  static String userName(String claimed) {
    int at = claimed.indexOf('@');
    String name = (at > 0 ? claimed.substring(0, at) : claimed).replaceAll("[^A-Za-z0-9._-]+", "-");
    return name.length() > 64 ? name.substring(0, 64) : name;
  }
}
