package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.limit.Network;
import dev.trainyard.server.limit.RequestKind;
import dev.trainyard.server.limit.RequestLimits;
import dev.trainyard.server.work.Downloads;
import dev.trainyard.server.work.RequestGate;
import dev.trainyard.server.work.Requester;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.NetUtil;
import io.vertx.core.MultiMap;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request of the web server. The constructor copies all data of the connection, on the event
 * loop. Afterwards only one virtual thread may use the request.
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
  private final String localAddress;
  private final boolean secure;
  private final boolean local;
  private final Authenticator authenticator;
  private final CsrfProtection csrfProtection;
  private final boolean foreign;

  /** The job in the path of the request; empty if the path names no job. */
  private final String jobInPath;

  private Optional<Caller> caller;
  private Map<String, List<String>> query;
  private Body body;
  private BodyBudget.Account bodyAccount;
  private InputStream stream;

  /**
   * @param foreign whether the request is for a foreign API, which ignores cookies
   */
  VertxRequest(
      RoutingContext context,
      WebConfig config,
      Authenticator authenticator,
      CsrfProtection csrfProtection,
      boolean foreign) {
    TrustedProxies proxies = config.trustedProxies();
    HttpServerRequest request = context.request();
    this.method = request.method().name();
    this.pathParts = Map.copyOf(context.pathParams());
    this.uri = request.uri();
    this.headers = request.headers();
    this.jobInPath = jobInPath(context, pathParts);
    this.foreign = foreign;
    Cookie cookie = foreign ? null : request.getCookie(CsrfProtection.SESSION_COOKIE);
    this.sessionCookie = Optional.ofNullable(cookie).map(Cookie::getValue);
    String peer = request.remoteAddress().hostAddress();
    this.localAddress = withoutZone(request.localAddress());
    List<String> forwarded = headers.getAll("X-Forwarded-For");
    this.remoteAddress = proxies.client(peer, forwarded);
    this.secure =
        proxies
            .scheme(peer, headers.get("X-Forwarded-Proto"))
            .map("https"::equalsIgnoreCase)
            .orElse(request.isSSL() || isHttpsPublicUrl(config.publicUrls()));
    this.local =
        forwarded.isEmpty()
            && !headers.contains("Forwarded")
            && Network.isLoopback(peer)
            && isAddressOrLocalhost(headers.get("Host"));
    this.authenticator = authenticator;
    this.csrfProtection = csrfProtection;
  }

  private static String withoutZone(SocketAddress local) {
    String address = local == null || local.hostAddress() == null ? "" : local.hostAddress();
    return address.replaceFirst("%.*", "");
  }

  /**
   * Returns whether the request is addressed to a public URL that uses TLS; TLS may end at a proxy.
   */
  private boolean isHttpsPublicUrl(List<URI> publicUrls) {
    return publicUrls.stream()
        .filter(url -> "https".equalsIgnoreCase(url.getScheme()))
        .anyMatch(url -> url.getRawAuthority().equalsIgnoreCase(headers.get("Host")));
  }

  /**
   * Returns whether the host name is an IP address or localhost. This excludes a DNS rebinding
   * attack, in which a domain name of another site resolves to this host.
   */
  private static boolean isAddressOrLocalhost(String host) {
    String name = host == null ? "localhost" : host.replaceFirst(":\\d+$", "");
    return name.equalsIgnoreCase("localhost")
        || NetUtil.isValidIpV4Address(name)
        || (name.startsWith("[") && name.endsWith("]"));
  }

  /** Checks the access of the caller. Called before the body is read. */
  void admit(Access access) {
    if (!foreign && bearerToken().isEmpty()) {
      csrfProtection.checkOrigin(method, this::header);
    }
    admitCaller(access);
  }

  /**
   * Like {@link #admit}, for a WebSocket. A browser opens a WebSocket for any page and sends the
   * cookie without a preflight request, so only the origin distinguishes pages of this server from
   * other pages.
   */
  void admitSocket(Access access) {
    if (!Sockets.isRequested(this)) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.websocket-only"));
    }
    if (bearerToken().isEmpty() && (sessionCookie.isPresent() || access == Access.PUBLIC)) {
      csrfProtection.requireOwnPage(this::header);
    }
    admitCaller(access);
  }

  private void admitCaller(Access access) {
    if (access == Access.PUBLIC) {
      return;
    }
    access.admit(caller(), !CsrfProtection.isSafeMethod(method));
  }

  /**
   * @param account the account of the body, which also includes the memory of the parsed body
   */
  void body(Body received, BodyBudget.Account account) {
    body = received;
    bodyAccount = account;
  }

  void stream(InputStream received) {
    stream = received;
  }

  @Override
  public InputStream stream() {
    return stream;
  }

  @Override
  public Caller caller() {
    return signedInCaller().orElseThrow(VertxRequest::signInRequired);
  }

  @Override
  public Optional<Caller> signedInCaller() {
    Optional<Caller> known = authenticated();
    if (known.isPresent() && !foreign && bearerToken().isEmpty()) {
      csrfProtection.checkCsrf(method, sessionCookie.orElseThrow(), this::header);
    }
    known.ifPresent(user -> user.requireOwnJob(jobInPath));
    return known;
  }

  /** Returns the caller to whom the token belongs, without checking access. */
  private Optional<Caller> authenticated() {
    if (caller == null) {
      Optional<String> bearerToken = bearerToken();
      if (bearerToken.isPresent()) {
        caller = callerOf(bearerToken.get());
      } else {
        caller = foreign ? basicCaller() : sessionCookie.flatMap(this::callerOf);
      }
    }
    return caller;
  }

  /** Counts the request for the limits; throws if a limit is exceeded. */
  RequestLimits.Admitted count(RequestLimits limits, RequestKind kind) {
    if (kind == RequestKind.HEALTH) {
      return RequestLimits.Admitted.UNLIMITED;
    }
    Optional<Caller> known = authenticated();
    if (known.isEmpty()) {
      return limits.admitGuest(remoteAddress, kind);
    }
    return known.get().localToken()
        ? RequestLimits.Admitted.UNLIMITED
        : limits.admitUser(known.get().userId(), known.get().application(), kind);
  }

  /**
   * Returns the key of the requester, by which expensive work is shared fairly. It identifies the
   * user, or the address of a client that is not signed in.
   */
  String requesterKey() {
    return authenticated()
        .map(user -> Requester.userKey(user.userId()))
        .orElseGet(this::addressKey);
  }

  /** Returns the key of the requester until the user is determined. */
  String addressKey() {
    return "address " + Network.of(remoteAddress);
  }

  /**
   * Returns the key of the client whose unread responses share a memory limit. Does not use the
   * database, because the response may report that the database is unavailable.
   */
  String responseKey() {
    return caller == null || caller.isEmpty()
        ? addressKey()
        : "user " + caller.get().userId() + (caller.get().application() ? "/applications" : "");
  }

  /**
   * Waits until the request may be processed. Clients that are not signed in do not wait, because
   * many clients may share an address, and one client could delay the sign-ins of the others.
   * Requests that change something do not wait either, because the database and the work pools
   * limit them, and many requests of one user share a commit.
   */
  RequestGate.Turn awaitTurn(RequestGate gate) {
    Optional<Caller> known = authenticated();
    if (known.isEmpty() || known.get().localToken() || !isSafe()) {
      return RequestGate.Turn.UNLIMITED;
    }
    String user = known.get().userId();
    return gate.enter(known.get().application() ? user + "/applications" : user);
  }

  /** Returns whether the request changes nothing. */
  boolean isSafe() {
    return CsrfProtection.isSafeMethod(method);
  }

  /**
   * Counts a large response of a signed-in user until the request ends; throws if the user receives
   * too many large responses.
   */
  void countLargeResponse(Downloads largeResponses) {
    if (caller != null && caller.isPresent()) {
      largeResponses.begin(caller.get().userId());
    }
  }

  /**
   * Counts the connection for the signed-in user, if any; throws if the user has requests on too
   * many connections.
   */
  void countConnection(IdleConnections connections, Channel channel) {
    if (authenticated().isEmpty()) {
      return;
    }
    Caller owner = authenticated().get();
    if (owner.localToken()) {
      connections.exempt(channel);
    } else if (!connections.tryAddUser(channel, owner.userId(), owner.application())) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-many-open", "seconds", RequestLimits.RETRY_SECONDS));
    }
  }

  /** Returns the account for the memory of the body, which has at most the given size. */
  BodyBudget.Account bodyAccount(BodyBudget bodies, DataSize largest) {
    return authenticated()
        .map(sender -> bodies.ofUser(sender.userId(), largest))
        .orElseGet(() -> bodies.ofGuest(Network.of(remoteAddress)));
  }

  @Override
  public boolean isStillSignedIn() {
    if (caller != null && foreign && bearerToken().isEmpty()) {
      return basicCaller().equals(caller);
    }
    Optional<String> token = bearerToken().or(() -> sessionCookie);
    return caller == null || token.flatMap(this::callerOf).equals(caller);
  }

  private Optional<Caller> callerOf(String token) {
    return authenticator.callerOf(token).map(known -> known.withAddress(remoteAddress));
  }

  /** Returns the name of the caller for the log, if the caller is already determined. */
  String callerName() {
    return caller == null ? "-" : caller.map(Caller::userName).orElse("-");
  }

  private Optional<String> bearerToken() {
    return header("Authorization")
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  /**
   * Authenticates by basic authentication, with a user name and one of that user's tokens as the
   * password.
   */
  private Optional<Caller> basicCaller() {
    Optional<String> encoded =
        header("Authorization")
            .filter(value -> value.regionMatches(true, 0, BASIC, 0, BASIC.length()))
            .map(value -> value.substring(BASIC.length()).strip());
    if (encoded.isEmpty()) {
      return Optional.empty();
    }
    String credentials;
    try {
      credentials = new String(Base64.getDecoder().decode(encoded.get()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    int colon = credentials.indexOf(':');
    return colon < 0
        ? Optional.empty()
        : callerOf(credentials.substring(colon + 1))
            .filter(
                candidate ->
                    candidate.userName().equalsIgnoreCase(credentials.substring(0, colon)));
  }

  @Override
  public String path(String name) {
    String part = pathParts.get(name);
    if (part == null) {
      throw new IllegalArgumentException("the route has no part :" + name);
    }
    if (part.indexOf('\0') >= 0) {
      throw new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-address"));
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
    List<String> values = query.getOrDefault(name, List.of());
    if (values.stream().anyMatch(value -> value.indexOf('\0') >= 0)) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("error.bad-query"),
          List.of(Problem.at(name, Message.of("error.field-control"))));
    }
    return values;
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
  public String localAddress() {
    return localAddress;
  }

  @Override
  public String text() {
    return body.text();
  }

  @Override
  public JsonNode json() {
    return body.json(this);
  }

  @Override
  public void useMemory(int bytes) {
    bodyAccount.addBytes(bytes);
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

  private static AppException signInRequired() {
    return new AppException(ErrorCode.SIGN_IN_REQUIRED, Message.of("error.sign-in-required"));
  }

  /** Returns the job in the path; empty if the request has no route, or a route without a job. */
  private static String jobInPath(RoutingContext context, Map<String, String> pathParts) {
    var route = context.currentRoute();
    String path = route == null || route.getPath() == null ? "" : route.getPath();
    return path.startsWith("/api/v3/jobs/:job") ? pathParts.get("job") : "";
  }
}
