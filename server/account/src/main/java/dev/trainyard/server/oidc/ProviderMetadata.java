package dev.trainyard.server.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Where the provider keeps what, by OpenID Connect Discovery.
 *
 * @param secretInBody whether it wants the client secret in the form instead of a header
 */
record ProviderMetadata(
    URI authorization,
    URI token,
    URI keys,
    Optional<URI> userInfo,
    Optional<URI> endSession,
    boolean secretInBody) {

  static ProviderMetadata fetch(OidcConfig config, ProviderHttp http) {
    URI address = config.discovery();
    JsonNode told = http.object(HttpRequest.newBuilder(address).GET());
    if (!told.path("issuer").asText().equals(config.issuer())) {
      String other = ProviderHttp.clean(told.path("issuer").asText(), 200);
      throw ProviderHttp.unusable(address, "issuer " + other);
    }
    Set<String> methods = new HashSet<>();
    told.path("token_endpoint_auth_methods_supported").forEach(one -> methods.add(one.asText()));
    return new ProviderMetadata(
        required(address, told, "authorization_endpoint"),
        required(address, told, "token_endpoint"),
        required(address, told, "jwks_uri"),
        safe(told, "userinfo_endpoint"),
        safe(told, "end_session_endpoint"),
        methods.contains("client_secret_post") && !methods.contains("client_secret_basic"));
  }

  private static URI required(URI address, JsonNode told, String name) {
    return safe(told, name).orElseThrow(() -> ProviderHttp.unusable(address, name));
  }

  /** No secret and no person is sent where others on the way could listen. */
  private static Optional<URI> safe(JsonNode told, String name) {
    try {
      return Optional.of(URI.create(told.path(name).asText())).filter(OidcConfig::isSafe);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
