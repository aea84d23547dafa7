package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Endpoint;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /api/v3/oidc}: redirects browsers to the provider, and completes the sign-in when they
 * return.
 */
final class OidcRoutes {
  private static final String LOGIN = "/api/v3/oidc/login";

  private final Oidc oidc;
  private final TerminalSignInHandler terminal;
  private final TokenService tokens;

  OidcRoutes(Oidc oidc, TerminalSignInHandler terminal, TokenService tokens) {
    this.oidc = oidc;
    this.terminal = terminal;
    this.tokens = tokens;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/oidc", Access.PUBLIC, this::show);
    routes.add("GET", LOGIN, Access.PUBLIC, htmlErrors(this::login));
    routes.add("GET", Oidc.RETURN_PATH, Access.PUBLIC, htmlErrors(oidc::handleCallback));
    routes.add("POST", "/api/v3/oidc/sessions", Access.PUBLIC, this::redeem);
  }

  private Object show(Request request) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("enabled", oidc.isEnabled());
    oidc.config().ifPresent(config -> view.put("issuer", config.issuer()));
    oidc.config().ifPresent(config -> view.put("login", config.publicUrl() + LOGIN));
    return view;
  }

  private Reply login(Request request) {
    Optional<String> challenge = request.query(Oidc.TERMINAL);
    return challenge.isPresent()
        ? oidc.redirectToProvider(Oidc.TERMINAL, challenge.get(), request)
        : oidc.redirectToProvider(Oidc.PAGE, request.query("to").orElse("/"), request);
  }

  /** Issues a token to a terminal in exchange for the code that a page has displayed. */
  private Reply redeem(Request request) {
    Fields fields = new Fields(request.json());
    String code = fields.text("code");
    String verifier = fields.text("verifier");
    fields.check();
    User user = terminal.redeem(code, verifier);
    IssuedToken token = tokens.issueSession(user.id(), user.name(), request.remoteAddress());
    Map<String, Object> session = new LinkedHashMap<>();
    session.put("token", token.secret());
    session.put("user", user.name());
    session.put("admin", user.admin());
    session.put("expires", token.expires().orElse(null));
    return Reply.of(201, session);
  }

  /**
   * Wraps an endpoint that is opened in a browser, so that the browser displays errors as readable
   * text.
   */
  private static Endpoint htmlErrors(Endpoint endpoint) {
    return request -> {
      try {
        return endpoint.handle(request);
      } catch (AppException e) {
        return errorPage(e, request);
      }
    };
  }

  /**
   * Returns the error as text if the client is a browser. Rethrows the error for other clients,
   * which receive the usual JSON error.
   */
  static Reply errorPage(AppException e, Request request) {
    if (!PlainPage.acceptsHtml(request)) {
      throw e;
    }
    return PlainPage.of(e.code().status(), e.text(), request);
  }
}
