package dev.trainyard.server.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Endpoints of the provider, from OpenID Connect Discovery.
 *
 * @param secretInBody whether the client secret must be sent in the form instead of in a header
 */
record ProviderMetadata(
    URI authorization,
    URI token,
    URI keys,
    Optional<URI> userInfo,
    Optional<URI> endSession,
    boolean secretInBody) {

  static ProviderMetadata fetch(OidcConfig config, ProviderHttp http) {
    URI address = config.discoveryUrl();
    JsonNode document = http.requestObject(HttpRequest.newBuilder(address).GET());
    if (!document.path("issuer").asText().equals(config.issuer())) {
      String reportedIssuer = ProviderHttp.sanitize(document.path("issuer").asText(), 200);
      throw ProviderHttp.unusableResponse(address, "issuer " + reportedIssuer);
    }
    Set<String> methods = new HashSet<>();
    JsonNode supportedMethods = document.path("token_endpoint_auth_methods_supported");
    supportedMethods.forEach(method -> methods.add(method.asText()));
    return new ProviderMetadata(
        requiredEndpoint(address, document, "authorization_endpoint"),
        requiredEndpoint(address, document, "token_endpoint"),
        requiredEndpoint(address, document, "jwks_uri"),
        safeEndpoint(document, "userinfo_endpoint"),
        safeEndpoint(document, "end_session_endpoint"),
        methods.contains("client_secret_post") && !methods.contains("client_secret_basic"));
  }

  private static URI requiredEndpoint(URI address, JsonNode document, String name) {
    return safeEndpoint(document, name)
        .orElseThrow(() -> ProviderHttp.unusableResponse(address, name));
  }

  /**
   * Returns an endpoint; empty if it is missing or not safe. This ensures that no secret is sent,
   * and no browser redirected, over a connection that others can read.
   */
  private static Optional<URI> safeEndpoint(JsonNode document, String name) {
    try {
      return Optional.of(URI.create(document.path(name).asText())).filter(OidcConfig::isSafe);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
