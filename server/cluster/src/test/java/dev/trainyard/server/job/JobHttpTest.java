package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.log.LogRemovalStore;
import dev.trainyard.server.log.LogRoutes;
import dev.trainyard.server.log.LogTail;
import dev.trainyard.server.node.CordonService;
import dev.trainyard.server.node.NodeRoutes;
import dev.trainyard.server.queue.JobFixture;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs, logs and nodes over a real connection. */
class JobHttpTest {
  private static final Map<String, Caller> CALLERS =
      Map.of(
          "alice", JobFixture.ALICE,
          "bob", new Caller("u2", "bob", false, "t2"),
          "admin", new Caller("u0", "admin", true, "t0"));

  private final Db db = TestDatabase.SQLITE.create();
  private final JobFixture fixture = new JobFixture(db).started();
  private final LogTail tail =
      new LogTail(fixture.logs, fixture.changes, fixture.service()::isFinished);
  private final TestWeb web =
      new TestWeb(
          WebConfig.local(0),
          routes -> {
            new JobRoutes(fixture.service()).addTo(routes);
            new LogRoutes(fixture.service(), fixture.logs, tail, new LogRemovalStore(db))
                .addTo(routes);
            new NodeRoutes(
                    fixture.engine,
                    fixture.pipeline(),
                    fixture.service(),
                    new CordonService(db, fixture.clock),
                    fixture.clock)
                .addTo(routes);
          },
          token -> Optional.ofNullable(CALLERS.get(token)));

  @AfterEach
  void close() {
    web.close();
    tail.close();
    fixture.close();
    db.close();
  }

  private HttpResponse<String> send(String who, String method, String path, String body)
      throws IOException, InterruptedException {
    return web.send(method, path, body, "Authorization", "Bearer " + who);
  }

  private JsonNode submit(String text) throws IOException, InterruptedException {
    HttpResponse<String> response = send("alice", "POST", "/api/v3/jobs", text);
    assertThat(response.statusCode()).isEqualTo(201);
    return TestWeb.json(response);
  }

  /** A file that is rejected, and the path of one of its problems. */
  record BadFile(String what, String text, String path) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<BadFile> badFiles() {
    return List.of(
        new BadFile("broken JSON", "{\"jobName\": \"a\", ", ""),
        new BadFile("nothing", "", ""),
        new BadFile("unknown field", JobFileText.of("a", "m", 1, 1, 0, "\"no\": 1,"), "no"),
        new BadFile("negative", JobFileText.of("a", "m", 1, -1, 0, ""), "taskRoles[0].cpuNumber"),
        new BadFile("10 MB", "{" + " ".repeat(10 << 20) + "}", ""),
        new BadFile("2 MB", "{" + " ".repeat(2 << 20) + "}", ""),
        new BadFile("path in the name", JobFileText.named("../../etc"), "jobName"),
        new BadFile("tilde in the name", JobFileText.named("bob~a"), "jobName"),
        new BadFile("emoji in the name", JobFileText.named("\uD83D\uDE80"), "jobName"),
        new BadFile("10,001 tasks", JobFileText.of("a", "m", 10_001, 1, 0, ""), "taskRoles"));
  }

  @ParameterizedTest
  @MethodSource("badFiles")
  void submit_invalidFile_isRejected(BadFile bad) throws Exception {
    HttpResponse<String> response = send("alice", "POST", "/api/v3/jobs", bad.text());
    assertThat(response.statusCode()).isEqualTo(400);
    JsonNode error = TestWeb.json(response);
    assertThat(error.get("code").asText()).isEqualTo("INVALID_JOB");
    List<String> paths = new ArrayList<>();
    for (JsonNode problem : error.get("problems")) {
      paths.add(problem.get("path").asText());
      assertThat(problem.get("message").asText()).isNotEmpty();
    }
    assertThat(paths).isNotEmpty().anyMatch(path -> path.startsWith(bad.path()));
    assertThat(TestWeb.json(send("admin", "GET", "/api/v3/jobs", "")).get("jobs")).isEmpty();
  }

  @Test
  void submit_retryCountMinusOneAndTwo_accepted() throws Exception {
    submit(JobFileText.of("a", "m", 1, 1, 0, "\"retryCount\": -1,"));
    submit(JobFileText.of("b", "m", 1, 1, 0, "\"retryCount\": -2,"));
  }

  @Test
  void submit_withoutToken() throws Exception {
    assertThat(web.send("POST", "/api/v3/jobs", JobFileText.named("a")).statusCode())
        .isEqualTo(401);
  }

  @Test
  void job_fromSubmissionToDeletion() throws Exception {
    String id = submit(JobFileText.named("hello")).get("id").asText();
    Job job = fixture.await(fixture.service().load(JobFixture.ALICE, "hello"), JobState.RUNNING);
    JsonNode shown = TestWeb.json(send("alice", "GET", "/api/v3/jobs/alice~hello", ""));
    assertThat(shown.get("id").asText()).isEqualTo(id);
    assertThat(shown.get("state").asText()).isEqualTo("RUNNING");
    assertThat(shown.get("exitCode").isNull()).isTrue();
    assertThat(shown.at("/tasks/0/node").asText()).isEqualTo("box");
    assertThat(send("bob", "GET", "/api/v3/jobs/" + id, "").statusCode()).isEqualTo(404);
    assertThat(send("alice", "DELETE", "/api/v3/jobs/hello", "").statusCode()).isEqualTo(409);
    assertThat(send("alice", "POST", "/api/v3/jobs", JobFileText.named("hello")).statusCode())
        .isEqualTo(409);
    fixture.engine.finish(fixture.task(job, 0), 3);
    fixture.await(job, JobState.FAILED);
    assertThat(TestWeb.json(send("alice", "GET", "/api/v3/jobs/hello", "")).get("reason").asText())
        .isEqualTo("exited with code 3");
    assertThat(send("alice", "DELETE", "/api/v3/jobs/hello", "").statusCode()).isEqualTo(204);
    assertThat(send("alice", "GET", "/api/v3/jobs/hello", "").statusCode()).isEqualTo(404);
  }

  @Test
  void logs_follow_untilEnd() throws Exception {
    submit(JobFileText.named("hello"));
    Job job = fixture.await(fixture.service().load(JobFixture.ALICE, "hello"), JobState.RUNNING);
    Callable<HttpResponse<String>> request =
        () -> send("alice", "GET", "/api/v3/jobs/hello/logs/-/-/stdout?follow=true", "");
    FutureTask<HttpResponse<String>> following = new FutureTask<>(request);
    Thread.ofVirtual().start(following);
    JobFixture.eventually(() -> fixture.changes.watchedJobCount() > 0, "the follower");
    fixture.engine.write(fixture.task(job, 0), false, "one\r");
    fixture.engine.write(fixture.task(job, 0), false, "two\n");
    fixture.engine.finish(fixture.task(job, 0), 0);
    assertThat(following.get().body()).isEqualTo("one\rtwo\n");
    assertThat(following.get().headers().firstValue("X-Log-Offset")).contains("0");
  }

  @Test
  void logs_rejected() throws Exception {
    submit(JobFileText.of("many", "w", 2, 1, 0, ""));
    String logs = "/api/v3/jobs/many/logs/";
    assertThat(send("alice", "GET", logs + "-/-/stdout", "").statusCode()).isEqualTo(400);
    assertThat(send("alice", "GET", logs + "w/0/stdin", "").statusCode()).isEqualTo(404);
    assertThat(send("alice", "GET", logs + "w/2/stdout", "").statusCode()).isEqualTo(404);
    assertThat(send("alice", "GET", logs + "..%2F../0/stdout", "").statusCode()).isEqualTo(404);
    assertThat(send("alice", "GET", logs + "w/0/stdout?offset=x", "").statusCode()).isEqualTo(400);
    assertThat(send("alice", "GET", logs + "w/0/stdout?attempt=9", "").statusCode()).isEqualTo(404);
    assertThat(send("bob", "GET", "/api/v3/jobs/alice~many/logs/w/0/stdout", "").statusCode())
        .isEqualTo(404);
  }

  @Test
  void nodes_showFreeResources() throws Exception {
    submit(JobFileText.of("a", "m", 1, 3, 1, ""));
    fixture.await(fixture.service().load(JobFixture.ALICE, "a"), JobState.RUNNING);
    JsonNode node = TestWeb.json(send("alice", "GET", "/api/v3/nodes", "")).at("/nodes/0");
    assertThat(node.get("freeCpus").asInt()).isEqualTo(5);
    assertThat(node.get("freeMemoryMB").asInt()).isEqualTo(16_384 - 512);
    assertThat(node.at("/devices/0/job").asText()).isEqualTo("alice~a");
    assertThat(node.at("/devices/1/job").isNull()).isTrue();
    assertThat(node.at("/jobs/0/name").asText()).isEqualTo("a");
    assertThat(node.at("/jobs/0/user").asText()).isEqualTo("alice");
    assertThat(node.at("/jobs/0/virtualCluster").asText()).isEqualTo("default");
    assertThat(node.at("/jobs/0/cpus").asInt()).isEqualTo(3);
    assertThat(node.at("/jobs/0/memoryMB").asInt()).isEqualTo(512);
    assertThat(node.at("/jobs/0/devices").toString()).isEqualTo("[0]");
    assertThat(node.at("/isolation/files").asText()).isEqualTo("PRIVATE");
    JsonNode nodeSeenByBob = TestWeb.json(send("bob", "GET", "/api/v3/nodes", "")).at("/nodes/0");
    assertThat(nodeSeenByBob.at("/devices/0/job").asText()).isEqualTo("*");
    assertThat(nodeSeenByBob.at("/jobs/0/name").asText()).isEqualTo("*");
    assertThat(nodeSeenByBob.at("/jobs/0/user").isNull()).isTrue();
    assertThat(nodeSeenByBob.at("/jobs/0/cpus").asInt()).isEqualTo(3);
  }

  @Test
  void attempts_listedAndShown() throws Exception {
    submit(JobFileText.of("a", "m", 1, 1, 0, "\"retryCount\": 2,"));
    Job job = fixture.service().load(JobFixture.ALICE, "a");
    for (int attempt = 1; attempt <= 3; attempt++) {
      TaskId task = new TaskId(job.id(), attempt, "m", 0);
      JobFixture.eventually(() -> fixture.engine.started().contains(task), "the attempt to start");
      if (attempt == 1) {
        fixture.engine.write(task, true, "Traceback (most recent call last):\nValueError: 坏的\n");
      }
      fixture.engine.finish(task, attempt);
    }
    fixture.await(job, JobState.FAILED);
    JsonNode page = TestWeb.json(send("alice", "GET", "/api/v3/jobs/a/attempts?limit=2", ""));
    assertThat(page.get("attempts")).hasSize(2);
    assertThat(page.get("attempts").get(0).get("number").asInt()).isEqualTo(3);
    assertThat(page.get("attempts").get(0).get("cause").asText()).isEqualTo("FAILURE");
    JsonNode rest =
        TestWeb.json(send("alice", "GET", "/api/v3/jobs/a/attempts?after=" + page.get("next"), ""));
    assertThat(rest.get("attempts")).hasSize(1);
    assertThat(rest.has("next")).isFalse();
    JsonNode first = TestWeb.json(send("alice", "GET", "/api/v3/jobs/a/attempts/1", ""));
    assertThat(first.get("exitCode").asInt()).isEqualTo(1);
    assertThat(first.at("/diagnosis/exit").asText()).isEqualTo("PYTHON_EXCEPTION");
    assertThat(first.at("/diagnosis/lines/0/text").asText()).isEqualTo("ValueError: 坏的");
    assertThat(first.at("/diagnosis/lines/0/number").asInt()).isEqualTo(2);
    JsonNode shown = TestWeb.json(send("alice", "GET", "/api/v3/jobs/a", "")).get("diagnosis");
    assertThat(shown.get("exit").asText()).isEqualTo("COMMAND_FAILED");
    assertThat(shown.at("/advice/code").asText()).isEqualTo("end.exit.command-failed.advice");
    assertThat(shown.at("/phrase/message").asText()).isEqualTo("the command failed");
    assertThat(shown.get("reaction").asText()).isEqualTo("COUNTED");
    assertThat(shown.at("/openpai/phrase").asText()).isEqualTo("PAIRuntimeUnknownFailed");
    assertThat(shown.get("lines")).isEmpty();
    assertThat(first.get("tasks").get(0).get("ports").has("http")).isTrue();
    for (String wrong : List.of("4", "0", "x", "2147483647")) {
      assertThat(send("alice", "GET", "/api/v3/jobs/a/attempts/" + wrong, "").statusCode())
          .isEqualTo(404);
    }
    assertThat(send("bob", "GET", "/api/v3/jobs/alice~a/attempts", "").statusCode()).isEqualTo(404);
  }

  @Test
  void list_failedJob_namesTheDiagnosisUnlessItAddsNothing() throws Exception {
    submit(JobFileText.named("import"));
    submit(JobFileText.named("plain"));
    for (String name : List.of("import", "plain")) {
      Job job = fixture.service().load(JobFixture.ALICE, name);
      TaskId task = new TaskId(job.id(), 1, "main", 0);
      JobFixture.eventually(() -> fixture.engine.started().contains(task), "the task to start");
      if (name.equals("import")) {
        fixture.engine.write(task, true, "ModuleNotFoundError: No module named 'torch'\n");
      }
      fixture.engine.finish(task, 1);
      fixture.await(job, JobState.FAILED);
    }
    for (String query : List.of("", "?total=true&sort=-submitted")) {
      JsonNode jobs = TestWeb.json(send("alice", "GET", "/api/v3/jobs" + query, "")).get("jobs");
      assertThat(jobs.get(0).get("name").asText()).isEqualTo("plain");
      assertThat(jobs.get(0).get("failure").isNull()).isTrue();
      assertThat(jobs.get(1).at("/failure/code").asText())
          .isEqualTo("end.exit.python-import.phrase");
      assertThat(jobs.get(1).get("reasonCode").asText()).startsWith("end.exit-code");
    }
    JsonNode shown = TestWeb.json(send("alice", "GET", "/api/v3/jobs/import", ""));
    assertThat(shown.at("/failure/code").asText()).isEqualTo("end.exit.python-import.phrase");
    assertThat(shown.at("/diagnosis/advice/code").asText())
        .as("the scripted engine has no images")
        .isEqualTo("end.exit.python-import.host-advice");
  }

  @Test
  void list_jobThatCanNeverStart_isMarked() throws Exception {
    submit(JobFileText.of("big", "main", 1, 1000, 0, ""));
    submit(JobFileText.named("small"));
    JsonNode jobs = TestWeb.json(send("alice", "GET", "/api/v3/jobs", "")).get("jobs");
    assertThat(jobs.get(0).get("neverFits").asBoolean()).isFalse();
    assertThat(jobs.get(1).get("state").asText()).isEqualTo("WAITING");
    assertThat(jobs.get(1).get("neverFits").asBoolean()).isTrue();
    assertThat(jobs.get(1).get("reasonCode").asText()).startsWith("wait.never-");
  }

  @Test
  void search_byTagAndKeywordInAnyOrder() throws Exception {
    submit(JobFileText.named("one"));
    submit(JobFileText.named("two"));
    submit(JobFileText.named("three"));
    String tag = "/api/v3/jobs/two/tags/good%20one";
    assertThat(send("alice", "PUT", tag, "").statusCode()).isEqualTo(204);
    assertThat(send("bob", "PUT", "/api/v3/jobs/alice~two/tags/x", "").statusCode()).isEqualTo(404);
    assertThat(send("alice", "PUT", "/api/v3/jobs/two/tags/a,b", "").statusCode()).isEqualTo(400);
    assertThat(found("tag=good%20one&total=true")).containsExactly("two");
    assertThat(found("withoutTag=good%20one&sort=name")).containsExactly("one", "three");
    assertThat(found("keyword=E&sort=-name")).containsExactly("two", "three", "one");
    assertThat(found("sort=name&offset=1&limit=1")).containsExactly("three");
    assertThat(
            TestWeb.json(send("alice", "GET", "/api/v3/jobs?total=true&limit=1", ""))
                .get("total")
                .intValue())
        .isEqualTo(3);
    assertThat(TestWeb.json(send("alice", "GET", "/api/v3/jobs/two", "")).get("tags")).hasSize(1);
    assertThat(TestWeb.json(send("bob", "GET", "/api/v3/jobs?keyword=o", "")).get("jobs"))
        .isEmpty();
    for (String wrong : List.of("sort=size", "offset=-1", "keyword=a&name=b")) {
      assertThat(send("alice", "GET", "/api/v3/jobs?" + wrong, "").statusCode()).isEqualTo(400);
    }
    assertThat(send("alice", "DELETE", tag, "").statusCode()).isEqualTo(204);
    assertThat(send("alice", "DELETE", tag, "").statusCode()).isEqualTo(404);
  }

  private List<String> found(String query) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    TestWeb.json(send("alice", "GET", "/api/v3/jobs?" + query, ""))
        .get("jobs")
        .forEach(job -> names.add(job.get("name").textValue()));
    return names;
  }

  @Test
  void pauseResumeAndStop() throws Exception {
    submit(JobFileText.of("a", "m", 1, 99, 0, ""));
    JsonNode paused = TestWeb.json(send("alice", "POST", "/api/v3/jobs/a/pause", ""));
    assertThat(paused.get("state").asText()).isEqualTo("PAUSED");
    assertThat(paused.get("stopCause").asText()).isEqualTo("PAUSE");
    assertThat(paused.get("reason").asText()).isEqualTo("paused by alice");
    assertThat(send("bob", "POST", "/api/v3/jobs/alice~a/resume", "").statusCode()).isEqualTo(404);
    assertThat(
            TestWeb.json(send("alice", "POST", "/api/v3/jobs/a/resume", "")).get("state").asText())
        .isEqualTo("WAITING");
    assertThat(send("alice", "POST", "/api/v3/jobs/a/resume", "").statusCode()).isEqualTo(409);
    assertThat(send("alice", "POST", "/api/v3/jobs/a/stop?graceSeconds=-1", "").statusCode())
        .isEqualTo(400);
    JsonNode stopped =
        TestWeb.json(send("alice", "POST", "/api/v3/jobs/a/stop?graceSeconds=3", ""));
    assertThat(stopped.get("state").asText()).isEqualTo("STOPPED");
    assertThat(stopped.get("stoppedBy").asText()).isEqualTo("alice");
  }
}
