package dev.trainyard.server.http;

import dev.trainyard.engine.linux.PortHolders;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.limit.RequestLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web server. All routes must be added before {@link #listen} is called. {@link #close} waits
 * for requests in progress and ends streams.
 */
public final class WebServer implements Routes, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(5);

  /** Maximum length of the request line, which may contain a command to run in a task. */
  private static final int MAX_FIRST_LINE_LENGTH = 64 * 1024;

  /**
   * Maximum length of a path without its query. The router normalizes a path in quadratic time, on
   * the event loop.
   */
  static final int MAX_PATH_LENGTH = 4_096;

  /**
   * Maximum number of attempts to listen. The kernel keeps a port in use for up to two minutes
   * after its last connection (TIME_WAIT).
   */
  private static final int MAX_ATTEMPTS = 300;

  private static final int RETRY_MILLIS = 500;

  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private final WebConfig config;
  private final Vertx vertx;
  private final Router router;
  private final Router malformedAddresses;
  private final Router longAddresses;
  private final IdleConnections connections;
  private final Sockets sockets;
  private final RequestDispatcher requestDispatcher;
  private final List<Route> routes = new ArrayList<>();
  private Optional<RequestDispatcher.Target> defaultTarget = Optional.empty();
  private HttpServer server;
  private IntPredicate releasePort = _ -> false;
  private volatile boolean stopping;

  /** Creates a server without rate limits. */
  public WebServer(
      WebConfig config,
      Authenticator authenticator,
      RequestObserver observer,
      InstantSource clock) {
    this(config, authenticator, RequestLimits.NONE, observer, clock);
  }

  public WebServer(
      WebConfig config,
      Authenticator authenticator,
      RequestLimits limits,
      RequestObserver observer,
      InstantSource clock) {
    this.config = config;
    // Use the name resolution of the JDK, because loading the resolver of Vert.x takes time at
    // startup.
    System.setProperty("vertx.disableDnsResolver", "true");
    TrustedProxies proxies = config.trustedProxies();
    this.connections = new IdleConnections(config.timeout(), config.load(), proxies::trusts);
    this.vertx =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setFileSystemOptions(
                        new FileSystemOptions()
                            .setClassPathResolvingEnabled(false)
                            .setFileCachingEnabled(false)))
            .withTransport(new CountingTransport(connections))
            .build();
    this.router = Router.router(vertx);
    this.malformedAddresses = Router.router(vertx);
    this.longAddresses = Router.router(vertx);
    this.sockets = new Sockets(config.timeout());
    this.requestDispatcher =
        new RequestDispatcher(
            config, authenticator, limits, observer, connections, sockets, () -> stopping, clock);
    Json.preload();
    var notFound = errorTarget(ErrorCode.NOT_FOUND, Message.of("error.no-such-page"));
    router.errorHandler(
        404,
        routing ->
            requestDispatcher.handle(
                routing, isReadOnly(routing) ? defaultTarget.orElse(notFound) : notFound));
    addErrorHandler(405, ErrorCode.METHOD_NOT_ALLOWED, "error.method-not-allowed");
    addErrorHandler(400, ErrorCode.BAD_REQUEST, "error.bad-address");
    // These routes have no path, so that their routers do not normalize the path of the request.
    var malformed = errorTarget(ErrorCode.BAD_REQUEST, Message.of("error.bad-address"));
    malformedAddresses.route().handler(routing -> requestDispatcher.handle(routing, malformed));
    var tooLong =
        errorTarget(
            ErrorCode.URL_TOO_LONG, Message.of("error.path-too-long", "limit", MAX_PATH_LENGTH));
    longAddresses.route().handler(routing -> requestDispatcher.handle(routing, tooLong));
  }

  private void addErrorHandler(int status, ErrorCode code, String message) {
    var target = errorTarget(code, Message.of(message));
    router.errorHandler(status, routing -> requestDispatcher.handle(routing, target));
  }

  /**
   * Returns the number of requests that wait because their user has too many requests in progress.
   */
  int queuedRequests() {
    return requestDispatcher.queued();
  }

  private static RequestDispatcher.Target errorTarget(ErrorCode code, Message message) {
    Endpoint endpoint =
        request -> {
          throw new AppException(code, message);
        };
    return RequestDispatcher.Target.own("*", "(none)", Access.PUBLIC, BodyLimit.GENERAL, endpoint);
  }

  /**
   * Handles a request. Paths that are too long or cannot be decoded are rejected by separate
   * routers, because the main router would respond in its own format.
   */
  private void route(HttpServerRequest request) {
    StrictFraming.requestBegins(StrictFraming.channel(request.connection()));
    routerFor(request.path()).handle(request);
  }

  private Router routerFor(String path) {
    if (path != null && path.length() > MAX_PATH_LENGTH) {
      return longAddresses;
    }
    boolean decodable = path != null && !BROKEN_ESCAPE.matcher(path).find();
    return decodable ? router : malformedAddresses;
  }

  @Override
  public void add(String method, String path, Access access, BodyLimit limit, Endpoint endpoint) {
    routes.add(new Route(method, path, Optional.of(access)));
    var target = RequestDispatcher.Target.own(method, path, access, limit, endpoint);
    var route = router.route(HttpMethod.valueOf(method), path);
    if (method.equals("GET")) {
      route.method(HttpMethod.HEAD);
    }
    route.handler((RoutingContext routing) -> requestDispatcher.handle(routing, target));
  }

  @Override
  public void addSocket(String path, Access access, Endpoint endpoint) {
    routes.add(new Route("GET", path, Optional.of(access)));
    var target = RequestDispatcher.Target.socket(path, access, endpoint);
    router.get(path).handler((RoutingContext routing) -> requestDispatcher.handle(routing, target));
  }

  @Override
  public void addForeign(
      String method,
      String path,
      BodyLimit limit,
      Admission admission,
      Endpoint endpoint,
      Function<AppException, Reply> errorFormat) {
    routes.add(new Route(method, path, Optional.empty()));
    var target =
        RequestDispatcher.Target.foreign(method, path, limit, admission, endpoint, errorFormat);
    var route =
        method.equals("*") ? router.route(path) : router.route(HttpMethod.valueOf(method), path);
    if (method.equals("GET")) {
      route.method(HttpMethod.HEAD);
    }
    route.handler((RoutingContext routing) -> requestDispatcher.handle(routing, target));
  }

  @Override
  public void addDefault(Endpoint endpoint) {
    defaultTarget =
        Optional.of(
            RequestDispatcher.Target.own(
                "GET", "(rest)", Access.PUBLIC, BodyLimit.GENERAL, endpoint));
  }

  private static boolean isReadOnly(RoutingContext routing) {
    return CsrfProtection.isSafeMethod(routing.request().method().name());
  }

  /** Returns all routes, in the order in which they were added. */
  public List<Route> routes() {
    return List.copyOf(routes);
  }

  /**
   * Sets a function that is called if the server cannot listen because its port is in use.
   *
   * @param releasePort ends the tasks that use the port; returns whether there were such tasks
   */
  public void onPortInUse(IntPredicate releasePort) {
    this.releasePort = releasePort;
  }

  /** Starts to listen and returns the URL of the server. */
  public URI listen() {
    try {
      server = bindServer(config.host(), config.port());
    } catch (RuntimeException e) {
      throw new AppException(ErrorCode.CONFLICT, cannotListen(rootCause(e)));
    }
    long checkMillis = Math.max(1, Math.min(5_000, config.timeout().toMillis() / 4));
    vertx.setPeriodic(checkMillis, tick -> connections.closeStale());
    return url();
  }

  /**
   * Returns a server that listens. Retries if a task used the port: after the task was killed, the
   * kernel may keep the port in use for a while because of its connections (TIME_WAIT).
   */
  private HttpServer bindServer(String host, int port) {
    boolean released = false;
    for (int attempt = 0; ; attempt++) {
      HttpServer listener = createServer(host, port);
      try {
        await(listener.listen(), Duration.ofSeconds(30));
        return listener;
      } catch (RuntimeException e) {
        if (attempt == MAX_ATTEMPTS || !isInUse(host, rootCause(e))) {
          throw e;
        }
        PortHolders holders = PortHolders.of(port);
        // called for each attempt, because another task may have started to use the port
        released |= releasePort.test(port);
        if (!released && !holders.isLeftover()) {
          throw e;
        }
      }
      await(vertx.timer(RETRY_MILLIS, TimeUnit.MILLISECONDS), Duration.ofSeconds(30));
    }
  }

  /**
   * Returns whether the port is in use. The message of the exception is not used, because it
   * depends on the locale of the host.
   */
  private static boolean isInUse(String host, Throwable cause) {
    if (!(cause instanceof BindException)) {
      return false;
    }
    try {
      InetAddress address = InetAddress.getByName(host);
      // An address that this host does not have causes the same exception.
      return address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private Message cannotListen(Throwable cause) {
    String address = config.host() + ":" + config.port();
    List<String> holders =
        isInUse(config.host(), cause) ? PortHolders.of(config.port()).describe() : List.of();
    return holders.isEmpty()
        ? Message.of("config.cannot-listen", "address", address)
            .with("detail", String.valueOf(cause.getMessage()))
        : Message.of("config.port-in-use", "address", address)
            .with("processes", String.join(", ", holders));
  }

  /** Also listens on another address of this host, with the same port. */
  public void alsoListen(String host) {
    try {
      bindServer(host, server.actualPort());
    } catch (RuntimeException e) {
      LOG.warn(
          "failed to listen on {}:{}, so tasks cannot reach the server there: {}",
          host,
          server.actualPort(),
          rootCause(e).getMessage());
    }
  }

  /**
   * Also listens on {@code ::1} if the server listens on an IPv4 loopback address or on all IPv4
   * addresses. If it did not, a task could listen on {@code ::1} and receive requests that are sent
   * to {@code localhost}.
   */
  public void listenOnIpv6Loopback() {
    if (!isLocalIpv4(config.host())) {
      return;
    }
    try {
      bindServer("::1", server.actualPort());
    } catch (RuntimeException e) {
      if (isInUse("::1", rootCause(e))) {
        LOG.warn(
            "another program listens on [::1]:{}: do not use localhost to reach this server",
            server.actualPort());
      } else {
        LOG.debug("failed to listen on [::1]: {}", rootCause(e).getMessage());
      }
    }
  }

  private static boolean isLocalIpv4(String host) {
    try {
      return InetAddress.getByName(host) instanceof Inet4Address address
          && (address.isLoopbackAddress() || address.isAnyLocalAddress());
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private HttpServer createServer(String host, int port) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setTcpKeepAlive(true)
            .setHttp2ClearTextEnabled(false)
            .setMaxInitialLineLength(MAX_FIRST_LINE_LENGTH)
            .setMaxWebSocketFrameSize(Socket.MAX_MESSAGE_LENGTH)
            .setMaxWebSocketMessageSize(Socket.MAX_MESSAGE_LENGTH)
            .setPerMessageWebSocketCompressionSupported(false)
            .setPerFrameWebSocketCompressionSupported(false)
            .setUseAlpn(false)
            .setSslHandshakeTimeout(10)
            .setHandle100ContinueAutomatically(true);
    config
        .tls()
        .ifPresent(
            tls ->
                options
                    .setSsl(true)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .setCertPath(tls.certificate().toString())
                            .setKeyPath(tls.key().toString())));
    return vertx
        .createHttpServer(options)
        .connectionHandler(connection -> StrictFraming.apply(connection, options))
        .requestHandler(this::route);
  }

  public URI url() {
    String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
    String scheme = config.tls().isPresent() ? "https" : "http";
    return URI.create(scheme + "://" + host + ":" + server.actualPort());
  }

  /** Returns the number of open WebSocket sessions. */
  public int openSockets() {
    return sockets.openCount();
  }

  public int openConnections() {
    return connections.openCount();
  }

  @Override
  public synchronized void close() {
    if (stopping) {
      return;
    }
    stopping = true;
    sockets.closeAll();
    if (server != null) {
      try {
        await(
            server.shutdown(SHUTDOWN_GRACE.toMillis(), TimeUnit.MILLISECONDS),
            SHUTDOWN_GRACE.plusSeconds(5));
      } finally {
        closeVertx();
      }
    } else {
      closeVertx();
    }
  }

  private void closeVertx() {
    await(vertx.close(), Duration.ofSeconds(10));
  }

  private static <T> T await(Future<T> future, Duration timeout) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    } catch (CompletionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
