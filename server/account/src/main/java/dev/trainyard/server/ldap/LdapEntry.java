package dev.trainyard.server.ldap;

import dev.trainyard.server.identity.ExternalUser;
import dev.trainyard.server.user.IdentityStore.Identity;
import dev.trainyard.server.user.ProfileFields;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.ldap.LdapName;

/**
 * Directory entry of a user.
 *
 * @param id stable ID of the entry, which does not change when the entry is renamed or moved; the
 *     distinguished name if the directory provides no such ID
 * @param groups names of the user's groups, usually distinguished names
 */
record LdapEntry(String id, String email, String displayName, List<String> groups) {
  private static final int MAX_ID_LENGTH = 255;

  LdapEntry {
    groups = List.copyOf(groups);
  }

  static String[] attributes(String groupsAttribute) {
    return new String[] {"entryUUID", "objectGUID", "mail", "displayName", "cn", groupsAttribute};
  }

  static LdapEntry of(String dn, Attributes attributes, String groupsAttribute)
      throws NamingException {
    String email = firstValue(attributes, "mail");
    String name = firstValue(attributes, "displayName");
    return new LdapEntry(
        id(dn, attributes),
        ProfileFields.emailProblem(email).isEmpty() ? email : "",
        name.isEmpty() ? firstValue(attributes, "cn") : name,
        values(attributes.get(groupsAttribute)));
  }

  private static String id(String dn, Attributes attributes) throws NamingException {
    String uuid = firstValue(attributes, "entryUUID");
    if (!uuid.isEmpty()) {
      return uuid;
    }
    Attribute guid = attributes.get("objectGUID");
    if (guid != null && guid.size() > 0 && guid.get() instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    String name = new LdapName(dn).toString().toLowerCase(Locale.ROOT);
    if (name.length() > MAX_ID_LENGTH) {
      throw new NamingException("the name of an entry without entryUUID is too long: " + dn);
    }
    return name;
  }

  private static String firstValue(Attributes attributes, String name) throws NamingException {
    List<String> values = values(attributes.get(name));
    return values.isEmpty() ? "" : values.getFirst();
  }

  private static List<String> values(Attribute attribute) throws NamingException {
    List<String> values = new ArrayList<>();
    for (int i = 0; attribute != null && i < attribute.size(); i++) {
      if (attribute.get(i) instanceof String text) {
        values.add(text);
      }
    }
    return values;
  }

  ExternalUser externalUser(String signInName) {
    Identity identity = new Identity(LdapDirectory.ISSUER, id);
    return new ExternalUser(identity, signInName, email, displayName, Set.copyOf(groups), false);
  }

  /** Returns whether the user is a member of the group with this external name. */
  boolean isMemberOf(String externalName) {
    return groups.stream().anyMatch(group -> LdapText.isSameGroup(group, externalName));
  }
}
