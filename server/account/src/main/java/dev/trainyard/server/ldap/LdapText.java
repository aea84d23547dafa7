package dev.trainyard.server.ldap;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Inserts user names into LDAP distinguished names and filters with the required escaping. */
final class LdapText {
  private LdapText() {}

  /** Returns the distinguished name for a user, built from a pattern. */
  static String dn(String pattern, String user) {
    return pattern.replace(LdapConfig.USER_PLACEHOLDER, Rdn.escapeValue(user));
  }

  /**
   * Returns the search filter for a user, built from a pattern and escaped according to RFC 4515,
   * section 3.
   */
  static String filter(String pattern, String user) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < user.length(); i++) {
      char c = user.charAt(i);
      switch (c) {
        case '\\', '*', '(', ')', '\0' -> escaped.append("\\%02x".formatted((int) c));
        default -> escaped.append(c);
      }
    }
    return pattern.replace(LdapConfig.USER_PLACEHOLDER, escaped);
  }

  /** Returns whether two group names are equal, either as text or as distinguished names. */
  static boolean isSameGroup(String name, String otherName) {
    if (name.equalsIgnoreCase(otherName)) {
      return true;
    }
    if (!name.contains("=") || !otherName.contains("=")) {
      return false;
    }
    try {
      return new LdapName(name).equals(new LdapName(otherName));
    } catch (InvalidNameException e) {
      return false;
    }
  }
}
