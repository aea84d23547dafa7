package dev.trainyard.server.ldap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LdapTextTest {
  @Test
  void dn_escapesSpecialCharacters() {
    assertThat(LdapText.dn("uid={user},dc=org", "alice")).isEqualTo("uid=alice,dc=org");
    assertThat(LdapText.dn("uid={user},dc=org", "a,ou=admins"))
        .isEqualTo("uid=a\\,ou\\=admins,dc=org");
    assertThat(LdapText.dn("uid={user},dc=org", "a+b\"<>;\\"))
        .isEqualTo("uid=a\\+b\\\"\\<\\>\\;\\\\,dc=org");
  }

  @Test
  void filter_escapesSpecialCharacters() {
    assertThat(LdapText.filter("(uid={user})", "alice")).isEqualTo("(uid=alice)");
    assertThat(LdapText.filter("(uid={user})", "*")).isEqualTo("(uid=\\2a)");
    assertThat(LdapText.filter("(uid={user})", "a)(uid=*))(|(a=b\\\0"))
        .isEqualTo("(uid=a\\29\\28uid=\\2a\\29\\29\\28|\\28a=b\\5c\\00)");
  }

  @Test
  void isSame_distinguishedAndPlainNames() {
    assertThat(LdapText.isSameGroup("cn=Lab, ou=Groups,dc=org", "CN=lab,OU=groups,DC=org"))
        .isTrue();
    assertThat(LdapText.isSameGroup("lab", "Lab")).isTrue();
    assertThat(LdapText.isSameGroup("cn=lab,dc=org", "cn=lab")).isFalse();
    assertThat(LdapText.isSameGroup("cn=lab,dc=org", "lab")).isFalse();
    assertThat(LdapText.isSameGroup("=,=", "cn=x")).isFalse();
  }
}
