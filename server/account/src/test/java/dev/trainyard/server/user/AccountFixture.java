package dev.trainyard.server.user;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.audit.AuditRoutes;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.session.SessionRoutes;
import dev.trainyard.server.signup.SignUpModule;
import dev.trainyard.server.team.Limits;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.ApplicationTokens;
import dev.trainyard.server.token.TokenService;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiConsumer;

/** A web server with all account routes and the signed-in users root and alice. */
public final class AccountFixture implements AutoCloseable {
  public final MutableClock clock = new MutableClock();
  public final Db db = TestDatabase.SQLITE.create();
  public final TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
  public final UserService users =
      new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
  public final TeamService teams =
      new TeamService(db, new Audit(clock), Limits.NONE, tokens::forgetUser);
  public final String root;
  public final String alice;
  private final TestWeb web;

  public AccountFixture() {
    this((people, routes) -> {});
  }

  /**
   * @param extraRoutes adds further routes
   */
  public AccountFixture(BiConsumer<AccountFixture, Routes> extraRoutes) {
    web =
        new TestWeb(
            WebConfig.local(0),
            routes -> {
              ProfileService profiles = new ProfileService(db, clock);
              new SessionRoutes(users, tokens, _ -> false).addTo(routes);
              new UserRoutes(users, profiles, tokens, user -> {}, java.util.Map::of).addTo(routes);
              new SshKeyRoutes(users, profiles).addTo(routes);
              new TokenRoutes(new ApplicationTokens(db, tokens, clock), users).addTo(routes);
              new ImportRoutes(new UserImport(db, users)).addTo(routes);
              new SignUpModule(db, users, teams, clock).addTo(routes);
              new AuditRoutes(db).addTo(routes);
              routes.add("POST", "/job", Access.JOBS, request -> Map.of());
              routes.add("POST", "/other", Access.USER, request -> Map.of());
              extraRoutes.accept(this, routes);
            },
            tokens);
    users.create("root", "root-password", true);
    users.create("alice", "alice-password", false);
    root = signIn("root");
    alice = signIn("alice");
  }

  public String signIn(String name) {
    User user = users.load(name);
    return tokens.issueSession(user.id(), user.name(), "").secret();
  }

  public HttpResponse<String> send(String token, String method, String path, String body) {
    try {
      return token.isEmpty()
          ? web.send(method, path, body)
          : web.send(method, path, body, "Authorization", "Bearer " + token);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  public HttpResponse<String> post(String token, String path, byte[] body) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(web.url().resolve(path))
              .header("Authorization", "Bearer " + token)
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  public int status(String token, String method, String path, String body) {
    return send(token, method, path, body).statusCode();
  }

  public JsonNode json(String token, String method, String path, String body) {
    try {
      return TestWeb.json(send(token, method, path, body));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    web.close();
    db.close();
  }
}
