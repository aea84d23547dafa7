package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v1;
import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.oidc.Oidc;
import dev.trainyard.server.token.TokenService;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sign-in through an OpenID Connect provider, as used by OpenPAI's page and its VS Code extension.
 * These clients send the URL of the page to return to, and this page receives the token in its URL.
 * If no provider is configured, these endpoints do not exist.
 */
final class OidcOperations implements OpenPaiRoutes.Source {
  private static final List<String> RESPONSE_PARAMETERS =
      List.of("code", "state", "iss", "error", "error_description");

  private final Oidc oidc;

  OidcOperations(Oidc oidc, TokenService tokens) {
    this.oidc = oidc;
    if (oidc.isEnabled()) {
      oidc.addSignInHandler(
          TokenSignInHandler.NAME, new TokenSignInHandler(oidc.returnOrigins(), tokens));
    }
  }

  @Override
  public List<Operation> operations() {
    if (!oidc.isEnabled()) {
      return List.of();
    }
    List<Operation> operations = new ArrayList<>();
    operations.add(v2("GET", "/authn/oidc/login", Guard.OPEN, this::login));
    operations.add(v1("GET", "/authn/oidc/login", Guard.OPEN, this::login));
    operations.add(v2("GET", "/authn/oidc/logout", Guard.OPEN, _ -> logout()));
    operations.add(v1("GET", "/authn/oidc/logout", Guard.OPEN, _ -> logout()));
    operations.add(v2("GET", "/authn/oidc/return", Guard.OPEN, OidcOperations::redirectToCallback));
    operations.add(v1("GET", "/authn/oidc/return", Guard.OPEN, OidcOperations::redirectToCallback));
    return operations;
  }

  private Reply login(PaiRequest request) {
    String returnAddress = request.query("redirect_uri").orElse("");
    String from = request.query("from").orElse("");
    if (!TokenSignInHandler.isAllowed(returnAddress, oidc.returnOrigins())) {
      throw PaiException.invalid(
          "\"redirect_uri\" must be an address at one of: "
              + String.join(", ", oidc.returnOrigins().stream().sorted().toList()));
    }
    String target =
        from.isEmpty()
            ? returnAddress
            : TokenSignInHandler.withQuery(returnAddress, "from=" + encoded(from));
    return oidc.redirectToProvider(TokenSignInHandler.NAME, target, request.request());
  }

  /**
   * Signs the browser out at the provider. The token remains valid until it expires or until it is
   * revoked by the basic logout.
   */
  private Reply logout() {
    Optional<URI> signOutAddress = oidc.signOutAddress();
    return Reply.of(302, null).with("Location", signOutAddress.map(URI::toString).orElse("/"));
  }

  /**
   * Redirects to the current redirect URI, for providers at which this redirect URI of OpenPAI is
   * still registered.
   */
  private static Reply redirectToCallback(PaiRequest request) {
    StringBuilder query = new StringBuilder();
    for (String name : RESPONSE_PARAMETERS) {
      request
          .query(name)
          .ifPresent(
              value ->
                  query
                      .append(query.isEmpty() ? "?" : "&")
                      .append(name)
                      .append('=')
                      .append(encoded(value)));
    }
    return Reply.of(302, null).with("Location", Oidc.RETURN_PATH + query);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
