package dev.trainyard.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Set;

/** Validates ID tokens according to OpenID Connect Core, section 3.1.3.7. Thread-safe. */
final class IdTokens {
  /** Maximum accepted difference between the provider's clock and the clock of this server. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(1);

  private static final int MAX_SUBJECT_LENGTH = 255;

  /**
   * Accepted signature algorithms. They are all asymmetric; "none" and algorithms with a shared
   * secret are rejected.
   */
  private static final Set<JWSAlgorithm> TRUSTED_ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private final OidcConfig config;
  private final ExpiringValue<JWKSet> keys;
  private final InstantSource clock;

  /**
   * @param keys the provider's keys, which are fetched again if a signature refers to an unknown
   *     key
   */
  IdTokens(OidcConfig config, ExpiringValue<JWKSet> keys, InstantSource clock) {
    this.config = config;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Returns the claims of a token; throws if the token is not valid for this client and this
   * sign-in.
   */
  JWTClaimsSet verify(String token, String nonce)
      throws ParseException, BadJOSEException, JOSEException {
    JWKSource<SecurityContext> source = (selector, _) -> select(selector);
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(TRUSTED_ALGORITHMS, source));
    processor.setJWTClaimsSetVerifier(new ClaimsVerifier(nonce));
    return processor.process(token, null);
  }

  private List<JWK> select(JWKSelector selector) {
    List<JWK> matchingKeys = selector.select(keys.value());
    return matchingKeys.isEmpty()
        ? keys.refetch().map(selector::select).orElse(matchingKeys)
        : matchingKeys;
  }

  /** Verifies issuer, audience, nonce and times. */
  private final class ClaimsVerifier extends DefaultJWTClaimsVerifier<SecurityContext> {
    ClaimsVerifier(String nonce) {
      super(
          config.clientId(),
          new JWTClaimsSet.Builder().issuer(config.issuer()).claim("nonce", nonce).build(),
          Set.of("sub", "exp", "iat"));
      setMaxClockSkew((int) MAX_CLOCK_SKEW.toSeconds());
    }

    @Override
    protected Date currentTime() {
      return Date.from(clock.instant());
    }

    @Override
    public void verify(JWTClaimsSet claims, SecurityContext context) throws BadJWTException {
      super.verify(claims, context);
      if (claims.getIssueTime().toInstant().isAfter(clock.instant().plus(MAX_CLOCK_SKEW))) {
        throw new BadJWTException("JWT iat claim is in the future");
      }
      Object authorizedParty = claims.getClaim("azp");
      boolean multipleAudiences = claims.getAudience().size() > 1;
      if ((multipleAudiences || authorizedParty != null)
          && !config.clientId().equals(authorizedParty)) {
        throw new BadJWTException("JWT azp claim names another client");
      }
      String subject = claims.getSubject();
      if (subject.isEmpty() || subject.length() > MAX_SUBJECT_LENGTH) {
        throw new BadJWTException("JWT sub claim is empty or too long");
      }
    }
  }
}
