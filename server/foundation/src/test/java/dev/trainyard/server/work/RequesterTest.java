package dev.trainyard.server.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequesterTest {
  @Test
  void knownKey_untilIdentified_isTheInitialKey() {
    Requester requester = new Requester(() -> "user u1", "address 192.0.2.1");
    assertThat(requester.knownKey()).isEqualTo("address 192.0.2.1");
    requester.identify();
    assertThat(requester.knownKey()).isEqualTo("user u1");
  }

  @Test
  void identify_withKey_keepsADeterminedKey() {
    Requester requester = new Requester(() -> "user u1", "address 192.0.2.1");
    requester.identify(Requester.userKey("u1"));
    assertThat(requester.knownKey()).isEqualTo("user u1");
    requester.identify("user u2");
    assertThat(requester.knownKey()).isEqualTo("user u1");
    Requester derived = requester.withKey("build");
    derived.identify("user u2");
    assertThat(derived.knownKey()).isEqualTo("build");
  }

  @Test
  void identify_serverItself_hasNoEffect() {
    Requester.SERVER.identify("user u1");
    assertThat(Requester.SERVER.knownKey()).doesNotContain("u1");
  }
}
