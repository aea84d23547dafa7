package dev.trainyard.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.net.MalformedURLException;
import java.net.URI;
import java.text.ParseException;
import java.util.Set;

/** Judges ID tokens by OpenID Connect Core, section 3.1.3.7. Thread-safe. */
final class IdTokens {
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int LONGEST_KEYS = 1 << 20;

  /** Signatures by keys that only the provider has; never "none", never a shared secret. */
  private static final Set<JWSAlgorithm> TRUSTED =
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
  private final JWKSource<SecurityContext> keys;

  /** The keys are fetched when first needed, and again when a signature names one that is new. */
  IdTokens(OidcConfig config, URI keysAddress) {
    this.config = config;
    try {
      this.keys =
          JWKSourceBuilder.create(
                  keysAddress.toURL(),
                  new DefaultResourceRetriever(PATIENCE_MILLIS, PATIENCE_MILLIS, LONGEST_KEYS))
              .retrying(true)
              .build();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  JWTClaimsSet verified(String token, String nonce)
      throws ParseException, BadJOSEException, JOSEException {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(TRUSTED, keys));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(
            config.clientId(),
            new JWTClaimsSet.Builder().issuer(config.issuer()).claim("nonce", nonce).build(),
            Set.of("sub", "exp", "iat")));
    JWTClaimsSet claims = processor.process(token, null);
    String presenter = claims.getStringClaim("azp");
    if ((presenter != null || claims.getAudience().size() > 1)
        && !config.clientId().equals(presenter)) {
      throw new BadJWTException("it was made for another client");
    }
    return claims;
  }
}
