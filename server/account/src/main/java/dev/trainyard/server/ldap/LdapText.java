package dev.trainyard.server.ldap;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Puts names into the texts of LDAP so that they stay names. */
final class LdapText {
  private LdapText() {}

  /** A pattern of a distinguished name with the user in it. */
  static String dn(String pattern, String user) {
    return pattern.replace(LdapConfig.USER, Rdn.escapeValue(user));
  }

  /** A filter with the user in it (RFC 4515, section 3). */
  static String filter(String pattern, String user) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < user.length(); i++) {
      char c = user.charAt(i);
      switch (c) {
        case '\\', '*', '(', ')', '\0' -> escaped.append("\\%02x".formatted((int) c));
        default -> escaped.append(c);
      }
    }
    return pattern.replace(LdapConfig.USER, escaped);
  }

  /** Whether two names of a group are the same: written alike, or the same entry. */
  static boolean isSame(String one, String other) {
    if (one.equalsIgnoreCase(other)) {
      return true;
    }
    if (!one.contains("=") || !other.contains("=")) {
      return false;
    }
    try {
      return new LdapName(one).equals(new LdapName(other));
    } catch (InvalidNameException e) {
      return false;
    }
  }
}
