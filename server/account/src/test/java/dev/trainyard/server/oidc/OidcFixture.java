package dev.trainyard.server.oidc;

import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.audit.AuditRoutes;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.identity.IdentityLinkService;
import dev.trainyard.server.identity.IdentityRoutes;
import dev.trainyard.server.session.SessionRoutes;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.GroupRoutes;
import dev.trainyard.server.team.Limits;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.ProfileService;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.UserRoutes;
import dev.trainyard.server.user.UserService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A web server with a fake provider and the user root. */
final class OidcFixture implements AutoCloseable {
  final MutableClock clock = new MutableClock();
  final Db db = TestDatabase.SQLITE.create();
  final TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
  final UserService users =
      new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
  final TeamService teams = new TeamService(db, new Audit(clock), Limits.NONE, tokens::forgetUser);
  final FakeProvider provider = new FakeProvider(clock);
  final Oidc oidc;
  final TestWeb web;
  final String root;

  /**
   * @param extraSettings additional settings
   */
  OidcFixture(Path directory, Map<String, String> extraSettings) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), FakeProvider.SECRET + "\n");
    Map<String, String> settings = new HashMap<>();
    settings.put("data", directory.toString());
    settings.put("public-url", "http://trainyard.test");
    settings.put("oidc-issuer", provider.issuer());
    settings.put("oidc-client-id", FakeProvider.CLIENT);
    settings.put("oidc-client-secret-file", secret.toString());
    settings.putAll(extraSettings);
    oidc = new Oidc(SettingsReader.read(settings, Map.of()), db, users, teams, tokens, clock);
    web =
        new TestWeb(
            WebConfig.local(0),
            routes -> {
              oidc.addTo(routes);
              new IdentityRoutes(
                      oidc.issuer(), new IdentityLinkService(db, teams, tokens, clock), users)
                  .addTo(routes);
              new SessionRoutes(users, tokens, _ -> false).addTo(routes);
              new UserRoutes(
                      users, new ProfileService(db, clock), tokens, _ -> {}, java.util.Map::of)
                  .addTo(routes);
              new GroupRoutes(teams).addTo(routes);
              new AuditRoutes(db).addTo(routes);
            },
            tokens);
    var made = users.create("root", "root-password", true);
    root = "Bearer " + tokens.issueSession(made.id(), made.name(), "").secret();
  }

  void group(String name, String externalName, boolean admin) {
    teams.createGroup(
        dev.trainyard.server.audit.Actor.SYSTEM,
        Group.named(name).withExternalName(externalName).withAdmin(admin));
  }

  /** A browser that was redirected to the provider. */
  record PendingSignIn(URI address, String cookie) {}

  PendingSignIn begin(String query) throws Exception {
    HttpResponse<String> response = web.get("/api/v3/oidc/login?here=1" + query);
    if (response.statusCode() != 302) {
      throw new AssertionError(response.body());
    }
    String cookie = response.headers().allValues("set-cookie").getFirst().split(";", -1)[0];
    return new PendingSignIn(
        URI.create(response.headers().firstValue("location").orElseThrow()), cookie);
  }

  HttpResponse<String> returnFromProvider(PendingSignIn pending, String query, String... headers)
      throws Exception {
    List<String> all = new java.util.ArrayList<>(List.of("Cookie", "a=b; " + pending.cookie()));
    all.addAll(List.of(headers));
    return web.get("/api/v3/oidc/return?" + query, all.toArray(String[]::new));
  }

  HttpResponse<String> signIn(Map<String, Object> claims) throws Exception {
    PendingSignIn pending = begin("");
    return returnFromProvider(pending, provider.authorize(pending.address(), claims));
  }

  HttpResponse<String> signIn(String subject, String name, String... groups) throws Exception {
    return signIn(Map.of("sub", subject, "preferred_username", name, "groups", List.of(groups)));
  }

  HttpResponse<String> asRoot(String method, String path, String body) throws Exception {
    return web.send(method, path, body, "Authorization", root);
  }

  /** Returns the user of the session that a response created; empty if it created none. */
  String me(HttpResponse<String> response) throws Exception {
    List<String> cookies =
        response.headers().allValues("set-cookie").stream()
            .filter(cookie -> cookie.startsWith("trainyard_session="))
            .toList();
    if (cookies.isEmpty()) {
      return "";
    }
    String cookie = cookies.getFirst().split(";", -1)[0];
    return TestWeb.json(web.get("/api/v3/me", "Cookie", cookie)).path("user").asText();
  }

  @Override
  public void close() {
    web.close();
    oidc.close();
    provider.close();
    db.close();
  }
}
