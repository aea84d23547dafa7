package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.identity.ProvisioningPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class IdTokensTest {
  private static final String ISSUER = "https://id.example.org";
  private static final RSAKey KEY = FakeProvider.key("one");
  private static final RSAKey OTHER = FakeProvider.key("one");

  private final MutableClock clock = new MutableClock();
  private final IdTokens tokens =
      new IdTokens(
          config(), new ExpiringValue<>(() -> new JWKSet(KEY.toPublicJWK()), clock), clock);

  static OidcConfig config() {
    return new OidcConfig(
        ISSUER,
        "trainyard",
        Optional.empty(),
        "openid",
        "preferred_username",
        "groups",
        ProvisioningPolicy.WELCOME,
        "https://trainyard.example.org",
        Set.of());
  }

  private JWTClaimsSet.Builder good() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("trainyard")
        .subject("1234")
        .claim("nonce", "n")
        .issueTime(Date.from(clock.instant()))
        .expirationTime(Date.from(clock.instant().plus(Duration.ofMinutes(5))));
  }

  private static String signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims)
      throws Exception {
    SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID("one").build(), claims);
    token.sign(signer);
    return token.serialize();
  }

  private String token(UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
    return signed(JWSAlgorithm.RS256, new RSASSASigner(KEY), change.apply(good()).build());
  }

  private void assertRejected(UnaryOperator<JWTClaimsSet.Builder> change, String why)
      throws Exception {
    String token = token(change);
    assertThatThrownBy(() -> tokens.verify(token, "n")).hasMessageContaining(why);
  }

  @Test
  void verified_validToken() throws Exception {
    assertThat(tokens.verify(token(claims -> claims), "n").getSubject()).isEqualTo("1234");
  }

  @Test
  void verified_otherAlgorithmsOfTheKey() throws Exception {
    String token = signed(JWSAlgorithm.PS256, new RSASSASigner(KEY), good().build());
    assertThat(tokens.verify(token, "n").getSubject()).isEqualTo("1234");
  }

  @Test
  void verified_anotherKeyWithTheSameId() throws Exception {
    String token = signed(JWSAlgorithm.RS256, new RSASSASigner(OTHER), good().build());
    assertThatThrownBy(() -> tokens.verify(token, "n")).hasMessageContaining("signature");
  }

  @Test
  void verified_changedAfterSigning() throws Exception {
    String[] mine = token(claims -> claims).split("\\.", -1);
    String[] other = token(claims -> claims.subject("5678")).split("\\.", -1);
    String mixed = mine[0] + "." + other[1] + "." + mine[2];
    assertThatThrownBy(() -> tokens.verify(mixed, "n")).hasMessageContaining("signature");
  }

  @Test
  void verified_unsigned_rejected() {
    String token = new PlainJWT(good().build()).serialize();
    assertThatThrownBy(() -> tokens.verify(token, "n")).hasMessageContaining("Unsecured");
  }

  /** The public key is not secret, so an attacker could sign a token with it as a shared secret. */
  @Test
  void verified_publicKeyAsSharedSecret_rejected() throws Exception {
    byte[] known = KEY.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
    String token = signed(JWSAlgorithm.HS256, new MACSigner(known), good().build());
    assertThatThrownBy(() -> tokens.verify(token, "n")).hasMessageContaining("rejected");
    byte[] encoded = KEY.toRSAPublicKey().getEncoded();
    String second = signed(JWSAlgorithm.HS256, new MACSigner(encoded), good().build());
    assertThatThrownBy(() -> tokens.verify(second, "n")).hasMessageContaining("rejected");
  }

  @Test
  void verified_malformed() {
    for (String token : List.of("", "a", "a.b.c", "..", "null")) {
      assertThatThrownBy(() -> tokens.verify(token, "n")).isInstanceOf(Exception.class);
    }
  }

  @Test
  void verified_otherAudience() throws Exception {
    assertRejected(claims -> claims.audience("other"), "aud");
    assertRejected(claims -> claims.audience((String) null), "aud");
    assertRejected(claims -> claims.claim("azp", "other"), "azp");
    assertRejected(claims -> claims.audience(List.of("trainyard", "other")), "azp");
    String both =
        token(claims -> claims.audience(List.of("trainyard", "other")).claim("azp", "trainyard"));
    assertThat(tokens.verify(both, "n").getSubject()).isEqualTo("1234");
  }

  @Test
  void verified_otherIssuer() throws Exception {
    assertRejected(claims -> claims.issuer(ISSUER + "/"), "iss");
    assertRejected(claims -> claims.issuer(null), "iss");
  }

  @Test
  void verified_otherNonce() throws Exception {
    assertRejected(claims -> claims.claim("nonce", "m"), "nonce");
    assertRejected(claims -> claims.claim("nonce", null), "nonce");
  }

  @Test
  void verified_outsideValidityPeriod_rejected() throws Exception {
    assertRejected(claims -> claims.expirationTime(ago(Duration.ofSeconds(61))), "Expired");
    assertRejected(claims -> claims.expirationTime(null), "exp");
    assertRejected(claims -> claims.issueTime(null), "iat");
    assertRejected(claims -> claims.issueTime(ago(Duration.ofSeconds(-62))), "iat");
    assertRejected(claims -> claims.notBeforeTime(ago(Duration.ofSeconds(-62))), "before");
    // Small clock differences are accepted.
    tokens.verify(token(claims -> claims.expirationTime(ago(Duration.ofSeconds(50)))), "n");
    tokens.verify(token(claims -> claims.issueTime(ago(Duration.ofSeconds(-50)))), "n");
  }

  private Date ago(Duration span) {
    return Date.from(clock.instant().minus(span));
  }

  @Test
  void verified_withoutSubject() throws Exception {
    assertRejected(claims -> claims.subject(null), "sub");
    assertRejected(claims -> claims.subject(""), "sub");
    assertRejected(claims -> claims.subject("x".repeat(256)), "sub");
  }
}
