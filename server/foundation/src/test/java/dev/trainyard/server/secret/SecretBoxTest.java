package dev.trainyard.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SecretBoxTest {
  private static final byte[] TEXT = "hunter2 密".getBytes(StandardCharsets.UTF_8);
  private final byte[] key = SecretBox.newKey();

  @Test
  void open_roundTrip() throws UnreadableSecretsException {
    assertThat(SecretBox.open(key, "alice", SecretBox.seal(key, "alice", TEXT))).isEqualTo(TEXT);
    byte[] nothing = {};
    assertThat(SecretBox.open(key, "", SecretBox.seal(key, "", nothing))).isEmpty();
  }

  @Test
  void seal_isUnique() {
    Set<String> nonces = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      nonces.add(SecretBox.seal(key, "alice", TEXT).substring(0, 17));
    }
    assertThat(nonces).hasSize(1000);
  }

  @Test
  void open_otherOwnerOrKey() {
    String sealed = SecretBox.seal(key, "alice", TEXT);
    assertUnreadable(key, "bob", sealed);
    assertUnreadable(SecretBox.newKey(), "alice", sealed);
  }

  @Test
  void open_anyChange_detected() {
    byte[] sealed = Base64.getDecoder().decode(SecretBox.seal(key, "alice", TEXT));
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertUnreadable(key, "alice", Base64.getEncoder().encodeToString(changed));
    }
    for (String damaged : new String[] {"", "?", "AQ==", "AQAAAAAAAAAAAAAAAAAA"}) {
      assertUnreadable(key, "alice", damaged);
    }
  }

  private static void assertUnreadable(byte[] key, String belongsTo, String sealed) {
    assertThatThrownBy(() -> SecretBox.open(key, belongsTo, sealed))
        .isInstanceOf(UnreadableSecretsException.class)
        .hasMessageStartingWith("its secrets can't be read: ");
  }
}
