package dev.trainyard.server;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.ServerProof;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.backup.PendingRestore;
import dev.trainyard.server.backup.Restore;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.RealDirectories;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.config.UserFiles;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Lease;
import dev.trainyard.server.db.Outages;
import dev.trainyard.server.http.Authenticator;
import dev.trainyard.server.http.Route;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.http.WebServer;
import dev.trainyard.server.identity.IdentityLinkService;
import dev.trainyard.server.identity.IdentityRoutes;
import dev.trainyard.server.ldap.LdapDirectory;
import dev.trainyard.server.limit.RateLimitConfig;
import dev.trainyard.server.limit.RequestLimits;
import dev.trainyard.server.metric.DbMetrics;
import dev.trainyard.server.metric.LimitMetrics;
import dev.trainyard.server.metric.MetricRoutes;
import dev.trainyard.server.metric.Metrics;
import dev.trainyard.server.metric.ProcessMetrics;
import dev.trainyard.server.metric.RequestMetrics;
import dev.trainyard.server.oidc.Oidc;
import dev.trainyard.server.openapi.OpenApiDocumentRoutes;
import dev.trainyard.server.page.PageRoutes;
import dev.trainyard.server.session.SessionRoutes;
import dev.trainyard.server.signup.SignUpModule;
import dev.trainyard.server.signup.WelcomeRoutes;
import dev.trainyard.server.status.DataDirectoryCheck;
import dev.trainyard.server.status.DiskWatch;
import dev.trainyard.server.status.HealthRoutes;
import dev.trainyard.server.status.StatusRegistry;
import dev.trainyard.server.storage.UserDirectories;
import dev.trainyard.server.team.GroupRoutes;
import dev.trainyard.server.team.Limits;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.ApplicationTokens;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Directory;
import dev.trainyard.server.user.FirstAdministrator;
import dev.trainyard.server.user.ImportRoutes;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.ProfileService;
import dev.trainyard.server.user.SshKeyRoutes;
import dev.trainyard.server.user.TokenRoutes;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserImport;
import dev.trainyard.server.user.UserRoutes;
import dev.trainyard.server.user.UserService;
import dev.trainyard.server.user.UserStore;
import dev.trainyard.server.work.CarrierWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server. All components are created here in the order of their dependencies and closed
 * in reverse order.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(60);

  private final Settings settings;
  private final RequestLimits limits;
  private final Clock clock = Clock.systemUTC();
  private final String proofKey = ServerProof.random();
  private final Deque<AutoCloseable> closeables = new ArrayDeque<>();
  private final List<Feature> features = new ArrayList<>();
  private Optional<String> generatedPassword = Optional.empty();
  private List<Route> routes = List.of();
  private URI url;
  private StatusRegistry status;
  private boolean closed;

  private Server(Settings settings) {
    this.settings = settings;
    this.limits = new RequestLimits(rateLimits(settings), System::nanoTime);
  }

  /**
   * Starts a server; it accepts requests when this method returns.
   *
   * @param adminPassword password of the first administrator, from TRAINYARD_ADMIN_PASSWORD; used
   *     only at the first start
   */
  public static Server start(
      Settings settings, Optional<String> adminPassword, List<Feature.Factory> factories) {
    Server server = new Server(settings);
    try {
      server.open(adminPassword, factories);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw explain(settings, e);
    } catch (Error e) {
      server.close();
      throw e;
    }
  }

  private static RuntimeException explain(Settings settings, RuntimeException failure) {
    Path data = settings.value(Settings.DATA);
    if (failure instanceof AppException) {
      return failure;
    }
    if (Outages.kind(failure).filter(kind -> kind == Outages.Kind.DISK_FULL).isPresent()) {
      return new AppException(
          ErrorCode.CONFLICT, Message.of("config.data-full", "path", data.toString()));
    }
    return failure instanceof UncheckedIOException io ? DataDirectory.explain(data, io) : failure;
  }

  public URI url() {
    return url;
  }

  /** Returns all routes of the server. */
  public List<Route> routes() {
    return routes;
  }

  /**
   * Returns the password of the first administrator if this start generated one; it is shown once.
   */
  public Optional<String> generatedPassword() {
    return generatedPassword;
  }

  /** Returns the status as {@code GET /api/v3/status} shows it. */
  public Map<String, Object> status() {
    return status.view();
  }

  /** Registers a shutdown hook that closes the server cleanly when the process exits. */
  public Server closeAtExit() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "shutdown"));
    return this;
  }

  private static void settleRestore(DataDirectory directory, String databaseUrl) {
    PendingRestore.completeOrRollBack(directory, () -> Restore.isFilled(databaseUrl));
    RealDirectories.require(directory);
  }

  private Leadership lead(DataDirectory directory, String databaseUrl, WebConfig web) {
    return Leadership.acquire(
        settings, directory, web, clock, () -> settleRestore(directory, databaseUrl));
  }

  private void open(Optional<String> adminPassword, List<Feature.Factory> factories) {
    WebConfig webConfig = webConfig();
    DataDirectory directory = DataDirectory.open(settings.value(Settings.DATA));
    String databaseUrl = settings.value(Settings.DB);
    Leadership leadership = lead(directory, databaseUrl, webConfig);
    closeables.push(leadership);
    closeables.push(CarrierWatch.start());
    directory.makePrivate();

    Metrics metrics = new Metrics();
    RequestMetrics requestMetrics = new RequestMetrics();
    DbMetrics dbMetrics = new DbMetrics();
    // Loading the classes of the web server and of the database takes most of the startup time, so
    // both are created in parallel.
    CompletableFuture<Authenticator> authenticator = new CompletableFuture<>();
    CompletableFuture<WebServer> webServerFuture =
        CompletableFuture.supplyAsync(() -> webServer(webConfig, authenticator, requestMetrics));
    closeables.push(() -> webServerFuture.join().close());
    Db db = Databases.open(databaseUrl, directory.path(), dbMetrics, leadership.lease());
    closeables.push(db);
    leadership.claim(db, settings);
    TokenService tokens =
        new TokenService(db, clock, settings.value(Settings.SESSION_LIFETIME), limits::admitSignIn);
    authenticator.complete(tokens);
    UserService users = new UserService(db, tokens, new Passwords(), this::unfinishedJobs, clock);
    users.setUserFiles(new UserDirectories(directory.path())::moveAway);
    Limits defaults = Limits.of(settings.value(Settings.USER_LIMITS)).orElse(Limits.BUILT_IN);
    TeamService teams = new TeamService(db, new Audit(clock), defaults, tokens::forgetUser);
    FirstAdministrator firstAdministrator = new FirstAdministrator(users, directory);
    generatedPassword = firstAdministrator.ensure(adminPassword);
    writeLocalToken(directory, users, tokens);
    WebServer web = webServerFuture.join();

    addMetrics(metrics, requestMetrics, dbMetrics, db, web);
    new MetricRoutes(metrics, Version.CURRENT).addTo(web);
    SignUpModule signUpModule = addUsers(web, db, users, teams, tokens, firstAdministrator);
    new GroupRoutes(teams).addTo(web);
    Oidc oidc = identityProviders(web, db, users, teams, tokens);
    addWelcome(web, oidc, signUpModule);
    var coreServices =
        new CoreServices(
            settings,
            directory,
            new UserFiles(),
            db,
            clock,
            users,
            tokens,
            teams,
            oidc,
            metrics,
            statusRegistry(web, db, leadership.lease(), directory),
            diskWatch(directory, databaseUrl),
            firstAdministrator::passwordChanged);
    startFeatures(coreServices, web, factories);

    listen(web);
    announce(leadership, directory);
    addConfigurationWarnings(coreServices.status());
  }

  private void addWelcome(WebServer web, Oidc oidc, SignUpModule signUp) {
    boolean ldap = settings.value(Settings.LDAP_URL).isPresent();
    new WelcomeRoutes(Version.CURRENT, ldap, oidc.issuer(), signUp::publicSettings).addTo(web);
  }

  private void listen(WebServer web) {
    web.onPortInUse(port -> features.stream().anyMatch(feature -> feature.releasePort(port)));
    url = web.listen();
    web.listenOnIpv6Loopback();
    features.stream().flatMap(feature -> feature.addresses().stream()).forEach(web::alsoListen);
    features.forEach(feature -> feature.listening(url));
  }

  private StatusRegistry statusRegistry(
      WebServer web, Db db, Optional<Lease> lease, DataDirectory directory) {
    StatusRegistry status = new StatusRegistry();
    status.health().require("database", () -> databaseProblem(db, lease));
    status.health().require("data directory", new DataDirectoryCheck(directory.path()));
    new HealthRoutes(status.health(), proofKey).addTo(web);
    return status;
  }

  private static Optional<String> databaseProblem(Db db, Optional<Lease> lease) {
    db.read(UserStore::count);
    return lease.flatMap(Lease::problem);
  }

  private WebServer webServer(
      WebConfig config,
      CompletableFuture<Authenticator> authenticator,
      RequestMetrics requestMetrics) {
    return new WebServer(
        config, token -> authenticator.join().callerOf(token), limits, requestMetrics, clock);
  }

  /** Adds the endpoints for users that do not depend on the features. */
  private SignUpModule addUsers(
      WebServer web,
      Db db,
      UserService users,
      TeamService teams,
      TokenService tokens,
      FirstAdministrator firstAdministrator) {
    ProfileService profiles = new ProfileService(db, clock);
    new SessionRoutes(users, tokens, teams::sharesJobs).addTo(web);
    new UserRoutes(
            users, profiles, tokens, firstAdministrator::passwordChanged, teams::groupsByUser)
        .addTo(web);
    new SshKeyRoutes(users, profiles).addTo(web);
    new TokenRoutes(new ApplicationTokens(db, tokens, clock), users).addTo(web);
    new ImportRoutes(new UserImport(db, users)).addTo(web);
    SignUpModule signUpModule = new SignUpModule(db, users, teams, clock);
    signUpModule.addTo(web);
    return signUpModule;
  }

  /** Configures the sign-in through external identity providers. */
  private Oidc identityProviders(
      WebServer web, Db db, UserService users, TeamService teams, TokenService tokens) {
    Optional<Directory> directory = LdapDirectory.of(settings, db, users, teams, clock);
    directory.ifPresent(users::setDirectory);
    Oidc oidc = new Oidc(settings, db, users, teams, tokens, clock);
    closeables.push(oidc);
    oidc.addTo(web);
    Optional<String> defaultIssuer =
        oidc.issuer().or(() -> directory.map(_ -> LdapDirectory.ISSUER));
    new IdentityRoutes(defaultIssuer, new IdentityLinkService(db, teams, tokens, clock), users)
        .addTo(web);
    return oidc;
  }

  private void announce(Leadership leadership, DataDirectory directory) {
    leadership.announce(localUrl().toString());
    var record = new ServerRecord(localUrl(), proofKey, certificate(), clock.instant());
    record.write(directory);
    closeables.push(() -> record.remove(directory));
  }

  private DiskWatch diskWatch(DataDirectory directory, String databaseUrl) {
    List<Path> directories = new ArrayList<>(List.of(directory.path()));
    Databases.file(databaseUrl).map(Path::getParent).ifPresent(directories::add);
    try {
      DiskWatch disks =
          new DiskWatch(
              DiskWatch.disksOf(directories),
              settings.value(Settings.DISK_LOW),
              settings.value(Settings.DISK_CRITICAL));
      disks.check();
      return disks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addMetrics(
      Metrics metrics, RequestMetrics requestMetrics, DbMetrics dbMetrics, Db db, WebServer web) {
    metrics.add(new ProcessMetrics(clock, Version.CURRENT));
    metrics.add(requestMetrics);
    metrics.add(dbMetrics);
    metrics.add(new LimitMetrics(limits));
    metrics.add(
        text -> {
          text.family("trainyard_db_waiting_writes", "gauge", "Transactions that wait or run.");
          text.sample("trainyard_db_waiting_writes", db.pendingWrites());
          text.family("trainyard_http_connections", "gauge", "Open connections.");
          text.sample("trainyard_http_connections", web.openConnections());
        });
  }

  /**
   * Creates and starts the features. They are closed after the web server and before the database.
   */
  private void startFeatures(
      CoreServices coreServices, WebServer web, List<Feature.Factory> factories) {
    for (Feature.Factory factory : factories) {
      Feature feature = factory.create(coreServices);
      features.add(feature);
      closeables.push(feature);
      feature.addTo(web);
    }
    new OpenApiDocumentRoutes().addTo(web);
    new PageRoutes().addTo(web);
    closeables.push(web);
    routes = web.routes();
    features.forEach(Feature::start);
  }

  private int unfinishedJobs(Handle handle, String userId) {
    return features.stream()
        .mapToInt(feature -> feature.unfinishedJobs().count(handle, userId))
        .sum();
  }

  private WebConfig webConfig() {
    Optional<WebConfig.Tls> tls =
        settings
            .value(Settings.TLS_CERT)
            .map(
                certificate ->
                    new WebConfig.Tls(certificate, settings.value(Settings.TLS_KEY).orElseThrow()));
    return new WebConfig(
        settings.value(Settings.HOST),
        settings.value(Settings.PORT),
        tls,
        settings.value(Settings.PUBLIC_URL),
        settings.value(Settings.TRUSTED_PROXIES),
        SHUTDOWN_TIMEOUT);
  }

  private static RateLimitConfig rateLimits(Settings settings) {
    return new RateLimitConfig(
        settings.value(Settings.RATE_LIMIT_USER),
        settings.value(Settings.RATE_LIMIT_ADDRESS),
        settings.value(Settings.RATE_LIMIT_SUBMIT),
        settings.value(Settings.RATE_LIMIT_LIST),
        settings.value(Settings.RATE_LIMIT_SIGN_IN),
        settings.value(Settings.RATE_LIMIT_USER_OPEN),
        settings.value(Settings.RATE_LIMIT_ADDRESS_OPEN));
  }

  private void writeLocalToken(DataDirectory directory, UserService users, TokenService tokens) {
    Optional<User> administrator = users.oldestAdministrator();
    if (administrator.isEmpty()) {
      directory.delete("local-token");
      return;
    }
    String token = tokens.issueLocal(administrator.get().id()).secret();
    directory.writePrivate("local-token", token + "\n");
  }

  private Optional<String> certificate() {
    return settings.value(Settings.TLS_CERT).map(ServerRecord::fingerprint);
  }

  /** Returns the URL at which programs on this host reach the server. */
  private URI localUrl() {
    String host = settings.value(Settings.HOST);
    if (host.equals("0.0.0.0") || host.equals("::")) {
      return URI.create(url.getScheme() + "://127.0.0.1:" + url.getPort());
    }
    return url;
  }

  private void addConfigurationWarnings(StatusRegistry registry) {
    status = registry;
    registry.addWarnings(this::configurationWarnings);
    configurationWarnings().forEach(warning -> LOG.warn("{}", warning.english()));
  }

  /** Returns the warnings that do not change while the server runs. */
  private List<Message> configurationWarnings() {
    List<Message> warnings = new ArrayList<>();
    String host = settings.value(Settings.HOST);
    boolean loopback = host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    if (!loopback && settings.value(Settings.TLS_CERT).isEmpty()) {
      warnings.add(Message.of("notice.no-tls", "host", host));
    }
    features.forEach(feature -> warnings.addAll(feature.warnings()));
    return warnings;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    while (!closeables.isEmpty()) {
      AutoCloseable next = closeables.pop();
      try {
        next.close();
      } catch (Exception e) {
        LOG.error("failed to close {}", next.getClass().getSimpleName(), e);
      }
    }
    if (url != null) {
      LOG.info("the server has stopped");
    }
  }
}
