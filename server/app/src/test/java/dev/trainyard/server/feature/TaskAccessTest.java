package dev.trainyard.server.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.http.Route;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the permissions of the token that a task receives. */
class TaskAccessTest {
  private static final Isolation.Level NONE = Isolation.Level.NONE;

  @TempDir Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ScriptedEngine engine =
      new ScriptedEngine(
          List.of(
              new Node(
                  "box",
                  4,
                  DataSize.ofMegabytes(8_192),
                  List.of(),
                  Map.of(),
                  new Isolation(NONE, NONE, NONE, NONE))));
  private Server server;
  private TaskId task;
  private String token;
  private String own;

  @BeforeEach
  void startJob() throws Exception {
    var settings =
        SettingsReader.read(
            Map.of("data", directory.resolve("data").toString(), "port", "0"), Map.of());
    server =
        Server.start(
            settings,
            Optional.of("a-good-password"),
            List.of(foundation -> new JobFeature(foundation, engine, new FifoPlanner())));
    String admin = Files.readString(directory.resolve("data/local-token")).strip();
    assertThat(send("POST", "/api/v3/jobs", admin, JobFileText.named("hello"))).isEqualTo(201);
    assertThat(send("POST", "/api/v3/jobs", admin, JobFileText.named("other"))).isEqualTo(201);
    JobFixture.eventually(() -> engine.started().size() == 2, "the tasks to start");
    var spec = engine.reserved().getFirst();
    task = spec.id();
    token = spec.environment().get("TRAINYARD_TOKEN");
    own = "/api/v3/jobs/" + task.job().value();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void variables_referToOwnJob() throws Exception {
    URI url = URI.create(engine.reserved().getFirst().environment().get("TRAINYARD_URL"));
    assertThat(url).isEqualTo(server.url());
    assertThat(send("GET", own, token, "")).isEqualTo(200);
    assertThat(send("GET", own + "/tasks", token, "")).isEqualTo(200);
    assertThat(send("GET", own + "/logs/-/-/stdout", token, "")).isEqualTo(200);
  }

  @Test
  void token_changingRequests_rejected() throws Exception {
    assertThat(send("DELETE", own, token, "")).isEqualTo(403);
    assertThat(send("POST", own + "/stop", token, "")).isEqualTo(403);
  }

  @Test
  void token_forAnotherJob_rejected() throws Exception {
    TaskId other = engine.reserved().getLast().id();
    assertThat(send("GET", "/api/v3/jobs/" + other.job().value(), token, "")).isEqualTo(403);
    assertThat(send("GET", own + "/../" + other.job().value(), token, "")).isEqualTo(403);
    assertThat(send("GET", own + "%2F..%2F" + other.job().value(), token, "")).isIn(400, 403, 404);
  }

  @Test
  void token_otherRoutes_rejectedOrIgnored() throws Exception {
    for (Route route : server.routes()) {
      boolean about = route.path().startsWith("/api/v3/jobs/:job");
      if (!about && !route.path().contains("*") && !route.method().equals("*")) {
        String path = route.path().replaceAll(":[A-Za-z]+", task.job().value());
        int response = send(route.method(), path, token, "{}");
        int guest = send(route.method(), path, "", "{}");
        assertThat(response == 401 || response == 403 || response == guest)
            .as("%s %s: %d, for guests %d", route.method(), path, response, guest)
            .isTrue();
      }
    }
  }

  @Test
  void token_forged_rejected() throws Exception {
    char last = token.charAt(token.length() - 2);
    String forged =
        token.substring(0, token.length() - 2)
            + (last == 'A' ? 'B' : 'A')
            + token.charAt(token.length() - 1);
    assertThat(send("GET", own, forged, "")).isEqualTo(401);
    assertThat(send("GET", own, token.replace("_1_", "_2_"), "")).isEqualTo(401);
  }

  @Test
  void token_afterEnd_invalid() throws Exception {
    engine.finish(task, 0);
    JobFixture.eventually(() -> status() == 401, "the token to become invalid");
  }

  private int status() {
    try {
      return send("GET", own, token, "");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private int send(String method, String path, String bearer, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!bearer.isEmpty()) {
      request.header("Authorization", "Bearer " + bearer);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
  }
}
