package dev.trainyard.server.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.oidc.Oidc;
import dev.trainyard.server.queue.JobFixture;
import dev.trainyard.server.status.Health;
import dev.trainyard.server.status.HealthRoutes;
import dev.trainyard.server.team.Limits;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.UserService;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** OpenPAI's API over a real connection, with an administrator root and users alice and bob. */
final class OpenPaiFixture implements AutoCloseable {
  static final String V2 = "/rest-server/api/v2";

  final Db db = TestDatabase.SQLITE.create();
  final JobFixture jobs = new JobFixture(db).started();
  final MutableClock clock = jobs.clock;
  final TokenService tokens = new TokenService(db, clock, Duration.ofDays(7));
  final UserService users =
      new UserService(db, tokens, new Passwords(64, 1), UnfinishedJobs.NONE, clock);
  final TeamService teams = new TeamService(db, new Audit(clock), Limits.NONE, tokens::forgetUser);
  final OpenPai openPai;
  final TestWeb web;

  OpenPaiFixture() {
    this(true);
  }

  OpenPaiFixture(boolean literalErrors) {
    this(literalErrors, Map.of());
  }

  /**
   * @param settings OpenID Connect settings
   */
  OpenPaiFixture(boolean literalErrors, Map<String, String> settings) {
    Oidc oidc = new Oidc(SettingsReader.read(settings, Map.of()), db, users, teams, tokens, clock);
    openPai =
        new OpenPai(
            new OpenPai.Services(
                db,
                clock,
                users,
                tokens,
                teams,
                oidc,
                jobs.service(),
                jobs.pipeline(),
                jobs.logs,
                () -> List.of(Message.of("notice.status-part", "part", "x").with("detail", "y")),
                literalErrors,
                "1.2.3",
                _ -> {}));
    web =
        new TestWeb(
            WebConfig.local(0),
            routes -> {
              new HealthRoutes(new Health(), "key").addTo(routes);
              oidc.addTo(routes);
              openPai.addTo(routes);
            },
            tokens);
    users.create("root", "root-password", true);
    users.create("alice", "alice-password", false);
    users.create("bob", "bob-password", false);
  }

  /** Returns the token of a new session. */
  String signIn(String name) throws IOException, InterruptedException {
    HttpResponse<String> response =
        web.send(
            "POST",
            V2 + "/authn/basic/login",
            "username=" + name + "&password=" + name + "-password&expiration=4000",
            "Content-Type",
            "application/x-www-form-urlencoded");
    return TestWeb.json(response).get("token").textValue();
  }

  /**
   * Sends a request with a token; the path is below /api/v2 or, if it starts with /api/v1,
   * complete.
   */
  HttpResponse<String> send(
      String token, String method, String path, String body, String... extraHeaders)
      throws IOException, InterruptedException {
    List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + token));
    headers.addAll(List.of(extraHeaders));
    if (extraHeaders.length == 0) {
      headers.addAll(List.of("Content-Type", "application/json"));
    }
    String address = path.startsWith("/api") || path.startsWith("/rest") ? path : V2 + path;
    return web.send(method, address, body, headers.toArray(String[]::new));
  }

  JsonNode get(String token, String path) throws IOException, InterruptedException {
    return TestWeb.json(send(token, "GET", path, ""));
  }

  /** Returns the status and code of an error. */
  static String refusal(HttpResponse<String> response) throws IOException {
    return response.statusCode() + " " + TestWeb.json(response).get("code").textValue();
  }

  Job submit(String token, String user, String file) throws IOException, InterruptedException {
    HttpResponse<String> response = send(token, "POST", "/jobs", file, "Content-Type", "text/yaml");
    if (response.statusCode() != 202) {
      throw new AssertionError(response.body());
    }
    String name = file.lines().filter(line -> line.startsWith("name:")).findFirst().orElseThrow();
    return jobs.service().load(caller(token), user + "~" + name.substring(5).strip());
  }

  private Caller caller(String token) {
    return tokens.callerOf(token).orElseThrow();
  }

  static String file(String name, String extraFields) {
    return """
    protocolVersion: 2
    name: %s
    type: job
    prerequisites:
      - name: image
        type: dockerimage
        uri: openpai/standard:python_3.6
    taskRoles:
      Task_Role:
        instances: 1
        dockerImage: image
        resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}
        commands: ["echo <%% $secrets.word %%>"]
    secrets: {word: hidden-word}
    %s
    """
        .formatted(name, extraFields);
  }

  @Override
  public void close() {
    web.close();
    jobs.close();
    db.close();
  }
}
