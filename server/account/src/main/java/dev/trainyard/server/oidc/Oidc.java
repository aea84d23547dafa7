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
  /** Path of the redirect URI that is registered at the provider. */
  public static final String RETURN_PATH = "/api/v3/oidc/return";

  static final String PAGE = "page";
  static final String TERMINAL = "terminal";

  private static final String COOKIE = "trainyard_oidc";
  private static final int COOKIE_LIFETIME_SECONDS = 600;
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
    this.provider = config.map(oidcConfig -> new Provider(oidcConfig, clock));
    this.externalUsers =
        config.map(
            oidcConfig ->
                new ExternalUserService(
                    "oidc",
                    oidcConfig.provisioning(),
                    oidcConfig.userClaim(),
                    db,
                    users,
                    teams,
                    clock));
    TerminalSignInHandler terminal = new TerminalSignInHandler(users, clock);
    signInHandlers.put(PAGE, new PageSignInHandler(tokens));
    signInHandlers.put(TERMINAL, terminal);
    this.routes = new OidcRoutes(this, terminal, tokens);
  }

  public void addTo(Routes target) {
    routes.addTo(target);
  }

  /** Registers a handler. Must be called before the server accepts requests. */
  public void addSignInHandler(String name, SignInHandler handler) {
    signInHandlers.put(name, handler);
  }

  public boolean isEnabled() {
    return config.isPresent();
  }

  /** Returns the issuer; empty if no provider is configured. */
  public Optional<String> issuer() {
    return config.map(OidcConfig::issuer);
  }

  Optional<OidcConfig> config() {
    return config;
  }

  /** Returns the origins of the pages that may receive a token. */
  public Set<String> returnOrigins() {
    return config.map(OidcConfig::returnOrigins).orElse(Set.of());
  }

  /**
   * Redirects a browser to the provider. A browser that used an address other than the public URL
   * is redirected to the public URL first, because the cookie set here must be sent back when the
   * provider redirects to that URL. The redirect to the public URL happens only once, because a
   * proxy may hide which address the browser used.
   */
  public Reply redirectToProvider(String handlerName, String target, Request request) {
    Provider currentProvider = provider.orElseThrow(Oidc::disabled);
    String publicUrl = config.orElseThrow().publicUrl();
    boolean atPublicUrl =
        URI.create(publicUrl).getRawAuthority().equals(request.header("Host").orElse(""));
    if (!atPublicUrl && request.query("here").isEmpty()) {
      return Reply.of(302, null).with("Location", publicUrl + redirectedUri(request.uri()));
    }
    if (!signInHandlers.get(handlerName).accepts(target)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.oidc-landing", "to", target));
    }
    AuthorizationRequest authorizationRequest = AuthorizationRequest.create(handlerName, target);
    return Reply.of(302, null)
        .with("Location", currentProvider.signInAddress(authorizationRequest).toString())
        .withCookie(
            cookie(authorizationRequest.cookie(), COOKIE_LIFETIME_SECONDS, request.secure()));
  }

  /**
   * Returns the request URI with a mark that it was already redirected, and without a prefix that a
   * proxy or an unusual client may have added.
   */
  private static String redirectedUri(String uri) {
    int query = uri.indexOf('?') < 0 ? uri.length() : uri.indexOf('?');
    int path = uri.substring(0, query).indexOf("/api/");
    if (path < 0) {
      // The path contains percent escapes, which a valid client does not use in this path.
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-address"));
    }
    return uri.substring(path) + (query == uri.length() ? "?" : "&") + "here=1";
  }

  /**
   * Completes the sign-in. The response of the provider is accepted only from the browser that
   * started the request.
   */
  Reply handleCallback(Request request) {
    if (!isEnabled()) {
      throw disabled();
    }
    Optional<AuthorizationRequest> authorizationRequest =
        authorizationRequest(request)
            .filter(sent -> sent.matches(request.query("state").orElse("")));
    if (authorizationRequest.isEmpty()) {
      throw forbidden(Message.of("error.oidc-visit"));
    }
    String target = authorizationRequest.get().target();
    SignInHandler handler = signInHandlers.get(authorizationRequest.get().handler());
    if (handler == null || !handler.accepts(target)) {
      throw forbidden(Message.of("error.oidc-visit"));
    }
    Reply reply;
    try {
      reply = handler.signedIn(target, authenticate(authorizationRequest.get(), request), request);
    } catch (AppException e) {
      reply = handler.failed(target, e).orElseGet(() -> OidcRoutes.errorPage(e, request));
    }
    return reply.withCookie(cookie("", 0, request.secure()));
  }

  private User authenticate(AuthorizationRequest authorizationRequest, Request request) {
    String issuer = config.orElseThrow().issuer();
    // RFC 9207: a response of another provider must not be accepted as a response of this provider.
    if (!request.query("iss").orElse(issuer).equals(issuer)) {
      throw forbidden(Message.of("error.oidc-visit"));
    }
    Optional<String> code = request.query("code").filter(text -> text.length() <= MAX_CODE_LENGTH);
    if (request.query("error").isPresent() || code.isEmpty()) {
      String reason =
          request.query("error_description").or(() -> request.query("error")).orElse("-");
      throw forbidden(
          Message.of(
              "error.oidc-refused", "detail", ProviderHttp.sanitize(reason, MAX_DETAIL_LENGTH)));
    }
    ExternalUser externalUser = provider.orElseThrow().redeem(authorizationRequest, code.get());
    return externalUsers
        .orElseThrow()
        .signIn(externalUser, externalUser.groups()::contains, request.remoteAddress());
  }

  /**
   * Returns the URL with which a browser also signs out at the provider; empty if the provider has
   * none.
   */
  public Optional<URI> signOutAddress() {
    return provider
        .orElseThrow(Oidc::disabled)
        .signOutAddress(config.orElseThrow().publicUrl() + "/");
  }

  private static Optional<AuthorizationRequest> authorizationRequest(Request request) {
    return request.header("Cookie").stream()
        .flatMap(cookies -> Arrays.stream(cookies.split(";", -1)))
        .map(String::strip)
        .filter(cookie -> cookie.startsWith(COOKIE + "="))
        .map(cookie -> cookie.substring(COOKIE.length() + 1))
        .findFirst()
        .flatMap(AuthorizationRequest::parse);
  }

  /**
   * Returns the value of Set-Cookie. SameSite is Lax because the redirect back to this server
   * starts on a page of the provider.
   */
  private static String cookie(String value, int seconds, boolean secure) {
    return "%s=%s; Path=%s; Max-Age=%d; HttpOnly; SameSite=Lax%s"
        .formatted(COOKIE, value, RETURN_PATH, seconds, secure ? "; Secure" : "");
  }

  static AppException disabled() {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.oidc-off"));
  }

  private static AppException forbidden(Message message) {
    return new AppException(ErrorCode.FORBIDDEN, message);
  }

  @Override
  public void close() {
    provider.ifPresent(Provider::close);
  }
}
