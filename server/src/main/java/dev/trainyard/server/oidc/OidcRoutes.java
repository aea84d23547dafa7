package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.session.SessionCookies;
import dev.trainyard.server.team.Teams;
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.Tokens;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Clock;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** {@code /api/v3/oidc}: to the provider and back. */
public final class OidcRoutes {
  private static final String COOKIE = "trainyard_oidc";
  private static final int MINUTES = 10;
  private static final int LONGEST_SUBJECT = 255;

  private final Optional<OidcConfig> config;
  private final Optional<Provider> provider;
  private final Optional<OidcSignIn> people;
  private final UserService users;
  private final Tokens tokens;

  public OidcRoutes(
      Settings settings, Db db, UserService users, Teams teams, Tokens tokens, Clock clock) {
    this.config = OidcConfig.of(settings);
    this.provider = config.map(Provider::new);
    this.people = config.map(known -> new OidcSignIn(known, db, users, teams, clock));
    this.users = users;
    this.tokens = tokens;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/oidc", Access.PUBLIC, this::show);
    routes.add("GET", "/api/v3/oidc/login", Access.PUBLIC, this::login);
    routes.add("GET", OidcConfig.RETURN_PATH, Access.PUBLIC, this::back);
    routes.add("GET", "/api/v3/users/:name/identities", Access.MANAGE, this::identities);
    routes.add("POST", "/api/v3/users/:name/identities", Access.MANAGE, this::link);
    routes.add("DELETE", "/api/v3/users/:name/identities", Access.MANAGE, this::unlink);
  }

  private Object show(Request request) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("enabled", config.isPresent());
    view.put("issuer", config.map(OidcConfig::issuer).orElse(null));
    view.put("login", config.isPresent() ? "/api/v3/oidc/login" : null);
    return view;
  }

  private Reply login(Request request) {
    Visit visit = Visit.begin(request.query("to"));
    return redirect(provider.orElseThrow(OidcRoutes::off).signInAddress(visit).toString())
        .withCookie(cookie(visit.cookie(), MINUTES * 60, request.secure()));
  }

  /** The provider's word counts only for the browser that asked for it. */
  private Reply back(Request request) {
    Provider asked = provider.orElseThrow(OidcRoutes::off);
    Visit visit =
        visit(request)
            .filter(known -> known.fits(request.query("state").orElse("")))
            .orElseThrow(() -> refused(Message.of("error.oidc-visit")));
    Optional<String> code = request.query("code");
    if (code.isEmpty()) {
      String why = request.query("error_description").or(() -> request.query("error")).orElse("?");
      throw refused(Message.of("error.oidc-provider", "detail", why));
    }
    User user = people.orElseThrow().signIn(asked.person(visit, code.get()));
    IssuedToken token = tokens.issueSession(user.id(), user.name(), request.remoteAddress());
    Reply reply = redirect(visit.to()).withCookie(cookie("", 0, request.secure()));
    return SessionCookies.add(reply, token.secret(), tokens.sessionLifetime(), request.secure());
  }

  private static Optional<Visit> visit(Request request) {
    return request.header("Cookie").stream()
        .flatMap(all -> Arrays.stream(all.split(";")))
        .map(String::strip)
        .filter(one -> one.startsWith(COOKIE + "="))
        .map(one -> one.substring(COOKIE.length() + 1))
        .findFirst()
        .flatMap(Visit::parse);
  }

  private Object identities(Request request) {
    return Map.of("subjects", people.orElseThrow(OidcRoutes::off).subjects(user(request)));
  }

  private Reply link(Request request) {
    Fields fields = new Fields(request.json());
    String subject = fields.optionalText("subject", LONGEST_SUBJECT).orElse("");
    if (subject.isEmpty()) {
      fields.text("subject");
    }
    fields.check();
    people.orElseThrow(OidcRoutes::off).link(Actor.of(request), user(request), subject);
    return Reply.noContent();
  }

  private Reply unlink(Request request) {
    people.orElseThrow(OidcRoutes::off).unlink(Actor.of(request), user(request));
    return Reply.noContent();
  }

  private User user(Request request) {
    return users.load(request.path("name"));
  }

  private static Reply redirect(String address) {
    return Reply.of(302, null).with("Location", address).with("Cache-Control", "no-store");
  }

  /** Lax, since the way back begins on the provider's page. */
  private static String cookie(String value, int seconds, boolean secure) {
    return "%s=%s; Path=/api/v3/oidc; Max-Age=%d; HttpOnly; SameSite=Lax%s"
        .formatted(COOKIE, value, seconds, secure ? "; Secure" : "");
  }

  private static AppException off() {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.oidc-off"));
  }

  private static AppException refused(Message message) {
    return new AppException(ErrorCode.WRONG_CREDENTIALS, message);
  }
}
