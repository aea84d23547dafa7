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

/** {@code /api/v3/oidc}: to the provider and back. */
final class OidcRoutes {
  private static final String LOGIN = "/api/v3/oidc/login";

  private final Oidc oidc;
  private final TerminalSignInHandler terminal;
  private final TokenService tokenService;

  OidcRoutes(Oidc oidc, TerminalSignInHandler terminal, TokenService tokenService) {
    this.oidc = oidc;
    this.terminal = terminal;
    this.tokenService = tokenService;
  }

  void addTo(Routes routes) {
    routes.add("GET", "/api/v3/oidc", Access.PUBLIC, this::show);
    routes.add("GET", LOGIN, Access.PUBLIC, forPeople(this::login));
    routes.add("GET", Oidc.RETURN_PATH, Access.PUBLIC, forPeople(oidc::comeBack));
    routes.add("POST", "/api/v3/oidc/sessions", Access.PUBLIC, this::redeem);
  }

  private Object show(Request request) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("enabled", oidc.isOn());
    oidc.config().ifPresent(config -> view.put("issuer", config.issuer()));
    oidc.config().ifPresent(config -> view.put("login", config.publicUrl() + LOGIN));
    return view;
  }

  private Reply login(Request request) {
    Optional<String> challenge = request.query(Oidc.TERMINAL);
    return challenge.isPresent()
        ? oidc.begin(Oidc.TERMINAL, challenge.get(), request)
        : oidc.begin(Oidc.PAGE, request.query("to").orElse("/"), request);
  }

  /** What a terminal gets for the code that the page showed. */
  private Reply redeem(Request request) {
    Fields fields = new Fields(request.json());
    String code = fields.text("code");
    String verifier = fields.text("verifier");
    fields.check();
    User user = terminal.redeem(code, verifier);
    IssuedToken token = tokenService.issueSession(user.id(), user.name(), request.remoteAddress());
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("token", token.secret());
    told.put("user", user.name());
    told.put("admin", user.admin());
    told.put("expires", token.expires().orElse(null));
    return Reply.of(201, told);
  }

  /** A browser shows what it gets: a person is told in words why it does not go on. */
  private static Endpoint forPeople(Endpoint endpoint) {
    return request -> {
      try {
        return endpoint.answer(request);
      } catch (AppException e) {
        return failure(e, request);
      }
    };
  }

  /** Throws for a program, which reads JSON as everywhere. */
  static Reply failure(AppException e, Request request) {
    if (!PlainPage.isWanted(request)) {
      throw e;
    }
    return PlainPage.of(e.code().status(), e.text(), request);
  }
}
