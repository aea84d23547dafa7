package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.identity.ExternalUser;
import dev.trainyard.server.identity.ExternalUserService;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.net.URI;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Sign-in with an OpenID Connect provider, if one is configured. Thread-safe. */
public final class Oidc implements AutoCloseable {
  /** Path of the redirect URI registered at the provider. */
  public static final String RETURN_PATH = "/api/v3/oidc/return";

  static final String PAGE = "page";
  static final String TERMINAL = "terminal";

  private static final String COOKIE = "trainyard_oidc";
  private static final int SECONDS = 600;
  private static final int MAX_CODE_LENGTH = 8192;
  private static final int MAX_DETAIL_LENGTH = 300;

  private final Optional<OidcConfig> config;
  private final Optional<Provider> provider;
  private final Optional<ExternalUserService> externalUsers;
  private final Map<String, SignInHandler> signInHandlers = new ConcurrentHashMap<>();
  private final OidcRoutes routes;

  public Oidc(
      Settings settings,
      Db db,
      UserService users,
      TeamService teams,
      TokenService tokens,
      Clock clock) {
    this.config = OidcConfig.of(settings);
    this.provider = config.map(known -> new Provider(known, clock));
    this.externalUsers =
        config.map(
            known ->
                new ExternalUserService(
                    "oidc", known.provisioning(), known.userClaim(), db, users, teams, clock));
    TerminalSignInHandler terminal = new TerminalSignInHandler(users, clock);
    signInHandlers.put(PAGE, new PageSignInHandler(tokens));
    signInHandlers.put(TERMINAL, terminal);
    this.routes = new OidcRoutes(this, terminal, tokens);
  }

  public void addTo(Routes target) {
    routes.addTo(target);
  }

  /** Registers a handler; must be called before the server accepts requests. */
  public void addSignInHandler(String name, SignInHandler landing) {
    signInHandlers.put(name, landing);
  }

  public boolean isOn() {
    return config.isPresent();
  }

  /** Returns the issuer; empty if no provider is configured. */
  public Optional<String> issuer() {
    return config.map(OidcConfig::issuer);
  }

  Optional<OidcConfig> config() {
    return config;
  }

  /** Returns the origins of pages that may request a token. */
  public Set<String> returnOrigins() {
    return config.map(OidcConfig::returnOrigins).orElse(Set.of());
  }

  /**
   * Redirects a browser to the provider. A browser that used an address other than the public URL
   * is redirected to the public URL first, because the cookie set here must be sent back when the
   * provider redirects to that URL. This happens only once, because a proxy may hide which address
   * the browser used.
   */
  public Reply begin(String landing, String to, Request request) {
    Provider currentProvider = provider.orElseThrow(Oidc::disabled);
    String home = config.orElseThrow().publicUrl();
    boolean here = URI.create(home).getRawAuthority().equals(request.header("Host").orElse(""));
    if (!here && request.query("here").isEmpty()) {
      return Reply.of(302, null).with("Location", home + redirectedUri(request.uri()));
    }
    if (!signInHandlers.get(landing).accepts(to)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.oidc-landing", "to", to));
    }
    AuthorizationRequest visit = AuthorizationRequest.begin(landing, to);
    return Reply.of(302, null)
        .with("Location", currentProvider.signInAddress(visit).toString())
        .withCookie(cookie(visit.cookie(), SECONDS, request.secure()));
  }

  /**
   * Returns the request URI without any prefix added by a proxy or an unusual client, and marked as
   * already redirected.
   */
  private static String redirectedUri(String uri) {
    int query = uri.indexOf('?') < 0 ? uri.length() : uri.indexOf('?');
    int path = uri.substring(0, query).indexOf("/api/");
    if (path < 0) {
      // The router decodes escapes in paths; this path needs none.
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-address"));
    }
    return uri.substring(path) + (query == uri.length() ? "?" : "&") + "here=1";
  }

  /**
   * Completes the sign-in. The response of the provider is accepted only from the browser that
   * started the request.
   */
  Reply handleCallback(Request request) {
    if (!isOn()) {
      throw disabled();
    }
    Optional<AuthorizationRequest> visit =
        visit(request).filter(known -> known.matches(request.query("state").orElse("")));
    if (visit.isEmpty()) {
      throw refused(Message.of("error.oidc-visit"));
    }
    String to = visit.get().target();
    SignInHandler landing = signInHandlers.get(visit.get().handler());
    if (landing == null || !landing.accepts(to)) {
      throw refused(Message.of("error.oidc-visit"));
    }
    Reply reply;
    try {
      reply = landing.signedIn(to, signedIn(visit.get(), request), request);
    } catch (AppException e) {
      reply = landing.failed(to, e).orElseGet(() -> OidcRoutes.failure(e, request));
    }
    return reply.withCookie(cookie("", 0, request.secure()));
  }

  private User signedIn(AuthorizationRequest visit, Request request) {
    String issuer = config.orElseThrow().issuer();
    // RFC 9207: a response of another provider must not be accepted as one of this provider.
    if (!request.query("iss").orElse(issuer).equals(issuer)) {
      throw refused(Message.of("error.oidc-visit"));
    }
    Optional<String> code = request.query("code").filter(text -> text.length() <= MAX_CODE_LENGTH);
    if (request.query("error").isPresent() || code.isEmpty()) {
      String why = request.query("error_description").or(() -> request.query("error")).orElse("-");
      throw refused(
          Message.of("error.oidc-refused", "detail", ProviderHttp.clean(why, MAX_DETAIL_LENGTH)));
    }
    ExternalUser externalUser = provider.orElseThrow().redeem(visit, code.get());
    return externalUsers
        .orElseThrow()
        .signIn(externalUser, externalUser.groups()::contains, request.remoteAddress());
  }

  /** Returns the URL at which a browser also signs out at the provider. */
  public Optional<URI> signOutAddress() {
    return provider
        .orElseThrow(Oidc::disabled)
        .signOutAddress(config.orElseThrow().publicUrl() + "/");
  }

  private static Optional<AuthorizationRequest> visit(Request request) {
    return request.header("Cookie").stream()
        .flatMap(all -> Arrays.stream(all.split(";", -1)))
        .map(String::strip)
        .filter(one -> one.startsWith(COOKIE + "="))
        .map(one -> one.substring(COOKIE.length() + 1))
        .findFirst()
        .flatMap(AuthorizationRequest::parse);
  }

  /** SameSite is Lax because the request that returns starts on the provider's page. */
  private static String cookie(String value, int seconds, boolean secure) {
    return "%s=%s; Path=%s; Max-Age=%d; HttpOnly; SameSite=Lax%s"
        .formatted(COOKIE, value, RETURN_PATH, seconds, secure ? "; Secure" : "");
  }

  static AppException disabled() {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.oidc-off"));
  }

  private static AppException refused(Message message) {
    return new AppException(ErrorCode.FORBIDDEN, message);
  }

  @Override
  public void close() {
    provider.ifPresent(Provider::close);
  }
}
