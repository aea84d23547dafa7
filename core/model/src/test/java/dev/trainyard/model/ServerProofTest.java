package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class ServerProofTest {
  @Test
  void of_isHmac() throws Exception {
    String key = ServerProof.random();
    String challenge = ServerProof.random();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(HexFormat.of().parseHex(key), "HmacSHA256"));
    byte[] expected = mac.doFinal(("trainyard " + challenge).getBytes(StandardCharsets.US_ASCII));
    assertThat(ServerProof.of(key, challenge)).isEqualTo(HexFormat.of().formatHex(expected));
  }

  @Test
  void isProof_ofAnotherKeyOrChallenge() {
    String key = ServerProof.random();
    String challenge = ServerProof.random();
    String proof = ServerProof.of(key, challenge);
    assertThat(ServerProof.isProof(key, challenge, proof)).isTrue();
    assertThat(ServerProof.isProof(ServerProof.random(), challenge, proof)).isFalse();
    assertThat(ServerProof.isProof(key, ServerProof.random(), proof)).isFalse();
    assertThat(ServerProof.isProof(key, challenge, "")).isFalse();
  }

  @Test
  void isProof_ofAnotherAddress() {
    String key = ServerProof.random();
    String challenge = ServerProof.random();
    String proof = ServerProof.of(key, challenge, "127.0.0.1");
    assertThat(ServerProof.isProof(key, challenge, "127.0.0.1", proof)).isTrue();
    assertThat(ServerProof.isProof(key, challenge, "192.0.2.1", proof)).isFalse();
    assertThat(ServerProof.isProof(key, challenge, proof)).isFalse();
    String withoutAddress = ServerProof.of(key, challenge);
    assertThat(ServerProof.isProof(key, challenge, "", withoutAddress)).isFalse();
  }

  @Test
  void isWellFormed_texts() {
    assertThat(ServerProof.isWellFormed(ServerProof.random())).isTrue();
    assertThat(ServerProof.isWellFormed("")).isFalse();
    assertThat(ServerProof.isWellFormed("a".repeat(65))).isFalse();
  }
}
