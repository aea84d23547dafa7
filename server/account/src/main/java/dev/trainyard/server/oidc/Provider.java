package dev.trainyard.server.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.identity.ExternalUser;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Client of the OpenID Connect provider. Contacts the provider only when a user signs in or out.
 * Thread-safe.
 */
final class Provider implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_DETAIL_LENGTH = 200;

  private final OidcConfig config;
  private final ProviderHttp http;
  private final ExpiringValue<ProviderMetadata> metadata;
  private final IdTokens idTokens;

  Provider(OidcConfig config, InstantSource clock) {
    this.config = config;
    this.http = new ProviderHttp(config.issuer(), TIMEOUT);
    this.metadata = new ExpiringValue<>(() -> ProviderMetadata.fetch(config, http), clock);
    this.idTokens = new IdTokens(config, new ExpiringValue<>(this::fetchKeys, clock), clock);
  }

  private JWKSet fetchKeys() {
    URI address = metadata.value().keys();
    JsonNode document = http.requestObject(HttpRequest.newBuilder(address).GET());
    try {
      return JWKSet.parse(document.toString());
    } catch (ParseException e) {
      throw ProviderHttp.unusableResponse(address, "jwks");
    }
  }

  /** Returns the URL of the authorization endpoint with all parameters. */
  URI signInAddress(AuthorizationRequest authorizationRequest) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", config.clientId());
    query.put("redirect_uri", config.redirectUri().toString());
    query.put("scope", config.scopes());
    query.put("state", authorizationRequest.state());
    query.put("nonce", authorizationRequest.nonce());
    query.put("code_challenge", authorizationRequest.challenge());
    query.put("code_challenge_method", "S256");
    return withQuery(metadata.value().authorization(), query);
  }

  /** Returns the URL that signs a user out at the provider; empty if the provider has none. */
  Optional<URI> signOutAddress(String returnUrl) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("client_id", config.clientId());
    query.put("post_logout_redirect_uri", returnUrl);
    return metadata.value().endSession().map(address -> withQuery(address, query));
  }

  /**
   * Redeems the authorization code with which a browser has returned, and returns the authenticated
   * user.
   */
  ExternalUser redeem(AuthorizationRequest authorizationRequest, String code) {
    ProviderMetadata provider = metadata.value();
    JsonNode response = http.requestObject(tokenRequest(provider, authorizationRequest, code));
    JWTClaimsSet idTokenClaims =
        idTokenClaims(response.path("id_token").asText(), authorizationRequest);
    Map<String, Object> claims = new HashMap<>(idTokenClaims.getClaims());
    if (!claims.containsKey(config.userClaim()) || !claims.containsKey(config.groupsClaim())) {
      userInfo(provider, response.path("access_token").asText(), idTokenClaims.getSubject())
          .forEach(claims::putIfAbsent);
    }
    return new Claims(config, claims).externalUser(idTokenClaims.getSubject());
  }

  private JWTClaimsSet idTokenClaims(String token, AuthorizationRequest authorizationRequest) {
    try {
      return idTokens.verify(token, authorizationRequest.nonce());
    } catch (ParseException | BadJOSEException | JOSEException e) {
      String detail = ProviderHttp.sanitize(String.valueOf(e.getMessage()), MAX_DETAIL_LENGTH);
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.oidc-proof", "detail", detail));
    }
  }

  private HttpRequest.Builder tokenRequest(
      ProviderMetadata provider, AuthorizationRequest authorizationRequest, String code) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", config.redirectUri().toString());
    form.put("code_verifier", authorizationRequest.verifier());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(provider.token())
            .header("Content-Type", "application/x-www-form-urlencoded");
    if (config.clientSecret().isEmpty() || provider.secretInBody()) {
      form.put("client_id", config.clientId());
      config.clientSecret().ifPresent(secret -> form.put("client_secret", secret));
    } else {
      String credentials = encode(config.clientId()) + ":" + encode(config.clientSecret().get());
      byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
    }
    return request.POST(HttpRequest.BodyPublishers.ofString(encodeForm(form)));
  }

  private Map<String, Object> userInfo(
      ProviderMetadata provider, String accessToken, String subject) {
    if (provider.userInfo().isEmpty() || !accessToken.matches("[!-~]{1,16384}")) {
      return Map.of();
    }
    URI address = provider.userInfo().get();
    JsonNode document =
        http.requestObject(
            HttpRequest.newBuilder(address).header("Authorization", "Bearer " + accessToken).GET());
    // OpenID Connect Core, section 5.3.2: the claims of another user must not be accepted.
    if (!document.path("sub").asText().equals(subject)) {
      throw ProviderHttp.unusableResponse(address, "sub");
    }
    Map<String, Object> claims = new HashMap<>();
    document
        .properties()
        .forEach(
            field ->
                claims.put(
                    field.getKey(), Json.MAPPER.convertValue(field.getValue(), Object.class)));
    return claims;
  }

  private static URI withQuery(URI address, Map<String, String> query) {
    return URI.create(address + (address.getRawQuery() == null ? "?" : "&") + encodeForm(query));
  }

  private static String encodeForm(Map<String, String> values) {
    return values.entrySet().stream()
        .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
  }
}
