package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request of the web server. Everything of the connection is copied at the beginning, on the
 * event loop; afterwards it belongs to one virtual thread.
 */
final class VertxRequest implements Request {
  private static final String BEARER = "Bearer ";
  private static final String BASIC = "Basic ";

  private final String method;
  private final Map<String, String> pathParts;
  private final String uri;
  private final MultiMap headers;
  private final Optional<String> sessionCookie;
  private final String remoteAddress;
  private final boolean secure;
  private final boolean local;
  private final Authenticator authenticator;
  private final CookieGuard guard;
  private final boolean foreign;
  private Optional<Caller> caller;
  private Map<String, List<String>> query;
  private Body body;

  /**
   * @param foreign whether it is for an API that is not ours, to which cookies mean nothing
   */
  VertxRequest(
      RoutingContext context,
      TrustedProxies proxies,
      Authenticator authenticator,
      CookieGuard guard,
      boolean foreign) {
    HttpServerRequest request = context.request();
    this.method = request.method().name();
    this.pathParts = Map.copyOf(context.pathParams());
    this.uri = request.uri();
    this.headers = request.headers();
    this.foreign = foreign;
    Cookie cookie = foreign ? null : request.getCookie(CookieGuard.SESSION_COOKIE);
    this.sessionCookie = Optional.ofNullable(cookie).map(Cookie::getValue);
    String peer = request.remoteAddress().hostAddress();
    List<String> forwarded = headers.getAll("X-Forwarded-For");
    this.remoteAddress = proxies.client(peer, forwarded);
    this.secure =
        proxies
            .scheme(peer, headers.get("X-Forwarded-Proto"))
            .map("https"::equalsIgnoreCase)
            .orElse(request.isSSL());
    this.local =
        forwarded.isEmpty()
            && !headers.contains("Forwarded")
            && isLoopback(request.remoteAddress().hostAddress());
    this.authenticator = authenticator;
    this.guard = guard;
  }

  /** Finds out who asks and whether they may; before the body is read. */
  void admit(Access access) {
    if (!foreign && bearer().isEmpty()) {
      guard.checkOrigin(method, this::header);
    }
    admitCaller(access);
  }

  /**
   * The same for a WebSocket. A browser opens one for any page, sends the cookie along, and asks
   * nobody: only the name of the page tells ours from another.
   */
  void admitSocket(Access access) {
    if (!Sockets.isAskedFor(this)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.websocket-only"));
    }
    if (bearer().isEmpty() && (sessionCookie.isPresent() || access == Access.PUBLIC)) {
      guard.requireOurPage(this::header);
    }
    admitCaller(access);
  }

  private void admitCaller(Access access) {
    if (access == Access.PUBLIC) {
      return;
    }
    access.admit(caller(), !CookieGuard.isHarmless(method));
  }

  void body(Body received) {
    body = received;
  }

  @Override
  public Caller caller() {
    return signedInCaller().orElseThrow(VertxRequest::signInRequired);
  }

  @Override
  public Optional<Caller> signedInCaller() {
    if (caller == null) {
      Optional<String> bearer = bearer();
      if (bearer.isPresent()) {
        caller = callerOf(bearer.get());
      } else if (foreign) {
        caller = basic();
      } else {
        caller = sessionCookie.flatMap(this::callerOf);
        if (caller.isPresent()) {
          guard.checkCsrf(method, sessionCookie.get(), this::header);
        }
      }
    }
    return caller;
  }

  @Override
  public boolean isStillSignedIn() {
    if (caller != null && foreign && bearer().isEmpty()) {
      return basic().equals(caller);
    }
    Optional<String> token = bearer().or(() -> sessionCookie);
    return caller == null || token.flatMap(this::callerOf).equals(caller);
  }

  private Optional<Caller> callerOf(String token) {
    return authenticator.callerOf(token).map(known -> known.at(remoteAddress));
  }

  /** For the log: who it turned out to be, without finding out. */
  String callerName() {
    return caller == null ? "-" : caller.map(Caller::userName).orElse("-");
  }

  private Optional<String> bearer() {
    return header("Authorization")
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  /** A name with one of that user's tokens for a password. */
  private Optional<Caller> basic() {
    Optional<String> encoded =
        header("Authorization")
            .filter(value -> value.regionMatches(true, 0, BASIC, 0, BASIC.length()))
            .map(value -> value.substring(BASIC.length()).strip());
    if (encoded.isEmpty()) {
      return Optional.empty();
    }
    String pair;
    try {
      pair = new String(Base64.getDecoder().decode(encoded.get()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    int colon = pair.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : callerOf(pair.substring(colon + 1))
            .filter(found -> found.userName().equalsIgnoreCase(pair.substring(0, colon)));
  }

  @Override
  public String path(String name) {
    String part = pathParts.get(name);
    if (part == null) {
      throw new IllegalArgumentException("the route has no part :" + name);
    }
    return part;
  }

  @Override
  public Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  @Override
  public List<String> queries(String name) {
    if (query == null) {
      try {
        query = new QueryStringDecoder(uri).parameters();
      } catch (IllegalArgumentException e) {
        throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-address"));
      }
    }
    return query.getOrDefault(name, List.of());
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public String remoteAddress() {
    return remoteAddress;
  }

  @Override
  public String text() {
    return body.text();
  }

  @Override
  public JsonNode json() {
    return body.json();
  }

  @Override
  public boolean bodyTooLarge() {
    return body.tooLarge();
  }

  @Override
  public boolean secure() {
    return secure;
  }

  @Override
  public boolean local() {
    return local;
  }

  private static boolean isLoopback(String address) {
    return address.startsWith("127.") || address.equals("::1") || address.equals("0:0:0:0:0:0:0:1");
  }

  private static AppException signInRequired() {
    return new AppException(ErrorCode.SIGN_IN_REQUIRED, Message.of("error.sign-in-required"));
  }
}
