package dev.trainyard.server.team;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.server.Server;
import dev.trainyard.server.config.SettingsReader;
import dev.trainyard.server.feature.JobFeature;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.queue.JobFixture;
import java.io.IOException;
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

/** Checks groups, virtual clusters and limits in the complete server with a simulated engine. */
class TeamHttpTest {
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
  private String admin;
  private String alice;

  @BeforeEach
  void start() throws Exception {
    var settings =
        SettingsReader.read(
            Map.of(
                "data",
                directory.resolve("data").toString(),
                "port",
                "0",
                "user-limits",
                "unfinishedJobs=50"),
            Map.of());
    server =
        Server.start(
            settings,
            Optional.of("a-good-password"),
            List.of(foundation -> new JobFeature(foundation, engine, new FifoPlanner())));
    admin = Files.readString(directory.resolve("data/local-token")).strip();
    String body = "{\"name\": \"alice\", \"password\": \"alices-password\"}";
    assertThat(status(admin, "POST", "/api/v3/users", body)).isEqualTo(201);
    String credentials = "{\"user\": \"alice\", \"password\": \"alices-password\"}";
    alice = json("", "POST", "/api/v3/sessions", credentials).get("token").textValue();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> send(String token, String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.url().resolve(path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private int status(String token, String method, String path, String body) {
    return send(token, method, path, body).statusCode();
  }

  private JsonNode json(String token, String method, String path, String body) {
    HttpResponse<String> response = send(token, method, path, body);
    try {
      return Json.MAPPER.readTree(response.body());
    } catch (IOException e) {
      throw new AssertionError(response.body(), e);
    }
  }

  private void createLab() {
    String cluster = "{\"name\": \"lab\", \"quota\": {\"cpus\": 1}}";
    assertThat(status(admin, "POST", "/api/v3/virtual-clusters", cluster)).isEqualTo(201);
    String group = "{\"name\": \"lab\", \"virtualClusters\": [\"lab\"]}";
    assertThat(status(admin, "POST", "/api/v3/groups", group)).isEqualTo(201);
  }

  private static String job(String name, String cluster) {
    return JobFileText.of(name, "main", 1, 1, 0, "\"virtualCluster\": \"" + cluster + "\",");
  }

  private boolean jobContains(String job, String words) {
    return send(alice, "GET", "/api/v3/jobs/" + job, "").body().contains(words);
  }

  private String virtualClusterOf(String job) {
    return json(alice, "GET", "/api/v3/jobs/" + job, "").get("virtualCluster").textValue();
  }

  @Test
  void submit_userWithOneVirtualClusterOtherThanDefault_runsThere() {
    createLab();
    assertThat(status(admin, "PUT", "/api/v3/groups/lab/members/alice", "{}")).isEqualTo(204);
    String inLab = "/api/v3/jobs?virtualCluster=lab";
    assertThat(status(alice, "POST", inLab, job("a", "default"))).isEqualTo(201);
    assertThat(virtualClusterOf("a")).isEqualTo("lab");
    assertThat(status(admin, "DELETE", "/api/v3/groups/default/members/alice", "")).isEqualTo(204);
    JsonNode check = json(alice, "POST", "/api/v3/jobs/check", JobFileText.named("b"));
    assertThat(check.get("problems")).isEmpty();
    assertThat(status(alice, "POST", "/api/v3/jobs", JobFileText.named("b"))).isEqualTo(201);
    assertThat(virtualClusterOf("b")).isEqualTo("lab");
    assertThat(status(alice, "POST", "/api/v3/jobs", job("c", "default"))).isEqualTo(201);
    assertThat(virtualClusterOf("c")).isEqualTo("lab");
    // The quota of lab is one CPU, so the scheduler must have counted the jobs there.
    JobFixture.eventually(() -> jobContains("c", "wait.vc-quota-cpus"), "c to show why it waits");
    assertThat(status(alice, "POST", "/api/v3/jobs?virtualCluster=other", job("d", "lab")))
        .isEqualTo(403);
  }

  @Test
  void quota_fromCreationToTheEnd() {
    createLab();
    HttpResponse<String> rejected = send(alice, "POST", "/api/v3/jobs", job("a", "lab"));
    assertThat(rejected.statusCode()).isEqualTo(403);
    assertThat(rejected.body()).contains("error.vc-not-granted", "available to you: default");
    assertThat(status(admin, "PUT", "/api/v3/groups/lab/members/alice", "{}")).isEqualTo(204);
    assertThat(status(alice, "POST", "/api/v3/jobs", job("a", "lab"))).isEqualTo(201);
    assertThat(status(alice, "POST", "/api/v3/jobs", job("b", "lab"))).isEqualTo(201);
    assertThat(status(alice, "POST", "/api/v3/jobs", job("c", "default"))).isEqualTo(201);
    JobFixture.eventually(() -> engine.started().size() == 2, "a and c to start");
    JobFixture.eventually(() -> jobContains("b", "wait.vc-quota-cpus"), "b to show why it waits");
    JsonNode cluster = json(alice, "GET", "/api/v3/virtual-clusters/lab", "");
    assertThat(cluster.at("/quota/cpus").intValue()).isEqualTo(1);
    assertThat(cluster.at("/used/cpus").intValue()).isEqualTo(1);
    assertThat(cluster.at("/total/cpus").intValue()).isEqualTo(4);
    assertThat(cluster.get("groups").toString()).isEqualTo("[\"lab\"]");
    assertThat(send(admin, "GET", "/metrics", "").body())
        .contains("trainyard_vc_used_cpus{vc=\"lab\"} 1\n", "trainyard_vc_quota_cpus{vc=\"lab\"} 1")
        .doesNotContain("trainyard_vc_quota_cpus{vc=\"default\"}");
    assertThat(send(admin, "DELETE", "/api/v3/virtual-clusters/lab", "").body())
        .contains("error.vc-has-jobs");
    // After a user was removed from the group, running jobs continue, waiting jobs stay in the
    // queue, and new jobs are rejected.
    assertThat(status(admin, "DELETE", "/api/v3/groups/lab/members/alice", "")).isEqualTo(204);
    assertThat(jobContains("a", "RUNNING")).isTrue();
    assertThat(status(alice, "POST", "/api/v3/jobs", job("d", "lab"))).isEqualTo(403);
    assertThat(status(alice, "GET", "/api/v3/virtual-clusters/lab", "")).isEqualTo(404);
    String unlimitedCpus = "{\"quota\": {\"cpus\": null}}";
    assertThat(status(admin, "PATCH", "/api/v3/virtual-clusters/lab", unlimitedCpus))
        .isEqualTo(200);
    JobFixture.eventually(
        () -> jobContains("b", "wait.vc-taken"), "b to show that access was revoked");
    assertThat(engine.started()).hasSize(2);
    assertThat(status(admin, "PUT", "/api/v3/groups/lab/members/alice", "{}")).isEqualTo(204);
    JobFixture.eventually(() -> engine.started().size() == 3, "b to start");
  }

  @Test
  void administrator_byGroup_effectiveInTheNextRequest() {
    String group = "{\"name\": \"ops\", \"admin\": true}";
    assertThat(status(admin, "POST", "/api/v3/groups", group)).isEqualTo(201);
    assertThat(status(alice, "GET", "/api/v3/users", "")).isEqualTo(403);
    assertThat(status(admin, "PUT", "/api/v3/groups/ops/members/alice", "{}")).isEqualTo(204);
    assertThat(status(alice, "GET", "/api/v3/users", "")).isEqualTo(200);
    assertThat(json(alice, "GET", "/api/v3/me", "").get("admin").booleanValue()).isTrue();
    assertThat(status(alice, "DELETE", "/api/v3/groups/ops", "")).isEqualTo(204);
    assertThat(status(alice, "GET", "/api/v3/users", "")).isEqualTo(403);
  }

  @Test
  void sharedJobs_readableButNotWritable() {
    String bobs = "{\"name\": \"bob\", \"password\": \"bobs-password\"}";
    assertThat(status(admin, "POST", "/api/v3/users", bobs)).isEqualTo(201);
    String credentials = "{\"user\": \"bob\", \"password\": \"bobs-password\"}";
    String bob = json("", "POST", "/api/v3/sessions", credentials).get("token").textValue();
    assertThat(status(bob, "POST", "/api/v3/jobs", job("theirs", "default"))).isEqualTo(201);
    JobFixture.eventually(() -> engine.started().size() == 1, "the job to start");
    assertThat(status(admin, "POST", "/api/v3/groups", "{\"name\": \"pair\"}")).isEqualTo(201);
    for (String user : List.of("alice", "bob")) {
      String member = "/api/v3/groups/pair/members/" + user;
      assertThat(status(admin, "PUT", member, "{}")).isEqualTo(204);
    }
    String theirs = "/api/v3/jobs/bob~theirs";
    String team = "/api/v3/jobs?scope=team&total=true";
    assertThat(status(alice, "GET", theirs, "")).isEqualTo(404);
    assertThat(json(alice, "GET", team, "").get("total").asInt()).isZero();
    assertThat(json(alice, "GET", "/api/v3/me", "").get("team").booleanValue()).isFalse();

    String shared = "{\"sharesJobs\": true}";
    assertThat(status(admin, "PATCH", "/api/v3/groups/pair", shared)).isEqualTo(200);
    assertThat(json(alice, "GET", "/api/v3/me", "").get("team").booleanValue()).isTrue();
    assertThat(json(alice, "GET", team, "").get("total").asInt()).isOne();
    assertThat(json(alice, "GET", "/api/v3/jobs?scope=all&total=true", "").get("total").asInt())
        .isOne();
    assertThat(json(alice, "GET", "/api/v3/jobs", "").get("jobs")).isEmpty();
    for (String part : List.of("", "/config", "/tasks", "/attempts", "/outputs")) {
      assertThat(status(alice, "GET", theirs + part, "")).as(part).isEqualTo(200);
    }
    assertThat(json(alice, "GET", theirs + "/events", "").get("events")).isNotEmpty();
    assertThat(status(alice, "GET", theirs + "/logs/main/0/stdout", "")).isEqualTo(200);
    for (String change : List.of("/stop", "/pause", "/resume")) {
      assertThat(send(alice, "POST", theirs + change, "").body()).contains("error.job-of-another");
    }
    assertThat(status(alice, "PUT", theirs + "/tags/seen", "")).isEqualTo(403);
    assertThat(status(alice, "DELETE", theirs, "")).isEqualTo(403);
    String batch = "{\"action\": \"stop\", \"jobs\": [\"bob~theirs\"]}";
    assertThat(send(alice, "POST", "/api/v3/jobs/batch", batch).body())
        .contains("error.job-of-another");
    assertThat(json(alice, "GET", "/api/v3/jobs?scope=mine", "").get("problems")).hasSize(1);

    assertThat(status(admin, "DELETE", "/api/v3/groups/pair/members/alice", "")).isEqualTo(204);
    assertThat(status(alice, "GET", theirs, "")).isEqualTo(404);
    assertThat(status(alice, "POST", theirs + "/stop", "")).isEqualTo(404);
  }

  @Test
  void limits_shownAndChanged() {
    JsonNode mine = json(alice, "GET", "/api/v3/users/alice/limits", "");
    assertThat(mine.get("limits").toString())
        .isEqualTo("{\"unfinishedJobs\":50,\"unfinishedTasks\":100000,\"unfinishedFilesMB\":100}");
    assertThat(mine.get("groups").toString()).isEqualTo("[\"default\"]");
    assertThat(json(alice, "GET", "/api/v3/users/me/limits", "")).isEqualTo(mine);
    assertThat(status(alice, "GET", "/api/v3/users/admin/limits", "")).isEqualTo(404);
    assertThat(json(alice, "GET", "/api/v3/groups", "").get("groups")).hasSize(1);
    assertThat(json(admin, "GET", "/api/v3/groups", "").get("groups")).hasSize(2);
    assertThat(status(alice, "GET", "/api/v3/groups/default", "")).isEqualTo(200);
    assertThat(status(alice, "GET", "/api/v3/groups/admingroup", "")).isEqualTo(404);
    String change = "{\"unfinishedJobs\": 1, \"cpus\": -1}";
    assertThat(status(alice, "PATCH", "/api/v3/users/alice/limits", change)).isEqualTo(403);
    assertThat(json(admin, "PATCH", "/api/v3/users/alice/limits", change).get("limits").toString())
        .isEqualTo("{\"unfinishedJobs\":1,\"unfinishedTasks\":100000,\"unfinishedFilesMB\":100}");
    assertThat(status(alice, "POST", "/api/v3/jobs", JobFileText.named("a"))).isEqualTo(201);
    assertThat(send(alice, "POST", "/api/v3/jobs", JobFileText.named("b")).body())
        .contains("error.too-many-jobs");
    String bad = "{\"cpus\": -2, \"memoryMB\": \"x\", \"gpus\": 1, \"devices\": 1.5}";
    assertThat(json(admin, "PATCH", "/api/v3/users/alice/limits", bad).get("problems")).hasSize(4);
  }

  private static String storageJob(String name, String storages) {
    return """
    {"protocolVersion": 2, "name": "%s", "type": "job",
     "prerequisites": [{"name": "i", "type": "dockerimage", "uri": "x"}],
     "taskRoles": {"main": {"dockerImage": "i", "commands": ["true"],
       "resourcePerInstance": {"cpu": 1, "memoryMB": 100, "gpu": 0}}},
     "extras": {"storages": %s}}
    """
        .formatted(name, storages);
  }

  private List<String> volumesOf(int task) {
    JobFixture.eventually(() -> engine.reserved().size() > task, "a task");
    return engine.reserved().get(task).volumes().stream()
        .filter(volume -> volume.source().toString().contains("/storages/"))
        .map(
            volume ->
                directory.resolve("data/storages").relativize(volume.source())
                    + " "
                    + volume.target()
                    + " "
                    + volume.access())
        .toList();
  }

  @Test
  void storages_ownUntilOneIsSetUp_thenGranted() {
    String named = "[{\"name\": \"nas\"}]";
    assertThat(status(alice, "POST", "/api/v3/jobs", storageJob("a", named))).isEqualTo(201);
    assertThat(volumesOf(0)).containsExactly("users/alice/nas /mnt/nas OWNED");
    String path = "/api/v3/storages";
    assertThat(status(alice, "POST", path, "{\"name\": \"nas\"}")).isEqualTo(403);
    assertThat(status(admin, "POST", path, "{\"name\": \"nas\"}")).isEqualTo(201);
    assertThat(status(admin, "POST", path, "{\"name\": \"NAS\"}")).isEqualTo(409);
    assertThat(status(admin, "POST", path, "{\"name\": \"..\"}")).isEqualTo(400);
    String usual = "{\"name\": \"sets\", \"readOnly\": true, \"default\": true}";
    assertThat(status(admin, "POST", path, usual)).isEqualTo(201);
    HttpResponse<String> rejected = send(alice, "POST", "/api/v3/jobs", storageJob("b", named));
    assertThat(rejected.statusCode()).isEqualTo(404);
    assertThat(rejected.body()).contains("Storage nas is not found.");
    assertThat(status(alice, "GET", "/api/v3/jobs/b", "")).isEqualTo(404);
    String grant = "{\"storages\": [\"nas\", \"sets\"]}";
    assertThat(status(admin, "PATCH", "/api/v3/groups/default", grant)).isEqualTo(200);
    assertThat(json(alice, "GET", path, "").get("storages")).hasSize(2);
    assertThat(status(alice, "POST", "/api/v3/jobs", storageJob("b", named))).isEqualTo(201);
    assertThat(volumesOf(1)).containsExactly("shared/nas /mnt/nas SHARED");
    assertThat(status(alice, "POST", "/api/v3/jobs", storageJob("c", "[]"))).isEqualTo(201);
    assertThat(volumesOf(2)).containsExactly("shared/sets /mnt/sets READ_ONLY");
    assertThat(send(admin, "DELETE", path + "/nas", "").body()).contains("error.storage-has-jobs");
    engine.finish(engine.started().get(1), 0);
    JobFixture.eventually(() -> jobContains("b", "SUCCEEDED"), "b to end");
    assertThat(status(admin, "DELETE", path + "/nas", "")).isEqualTo(204);
    assertThat(json(admin, "GET", "/api/v3/groups/default", "").get("storages").toString())
        .isEqualTo("[\"sets\"]");
  }

  @Test
  void badRequests_reportEveryProblem() {
    String group =
        "{\"name\": \"a b\", \"admin\": 1, \"virtualClusters\": [1], \"x\": 1,"
            + " \"limits\": {\"y\": 1}}";
    assertThat(json(admin, "POST", "/api/v3/groups", group).get("problems")).hasSize(5);
    String cluster =
        "{\"name\": \"\", \"quota\": {\"cpus\": -1, \"gpu\": 1, \"deviceTypes\": {\"/\": 1}}}";
    assertThat(json(admin, "POST", "/api/v3/virtual-clusters", cluster).get("problems")).hasSize(4);
    for (String path : List.of("/api/v3/groups", "/api/v3/virtual-clusters")) {
      assertThat(status("", "GET", path, "")).isEqualTo(401);
      assertThat(status(alice, "GET", path, "")).isEqualTo(200);
      assertThat(status(alice, "POST", path, "{\"name\": \"x\"}")).isEqualTo(403);
      assertThat(status(alice, "PATCH", path + "/default", "{}")).isEqualTo(403);
      assertThat(status(alice, "DELETE", path + "/default", "")).isEqualTo(403);
      assertThat(status(admin, "DELETE", path + "/default", "")).isEqualTo(409);
      assertThat(status(admin, "DELETE", path + "/nothing", "")).isEqualTo(404);
    }
    assertThat(status(alice, "GET", "/api/v3/groups/default/members", "")).isEqualTo(403);
  }
}
