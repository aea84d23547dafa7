package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.file;
import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.queue.JobFixture;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobOperationsTest {
  private static final String PRIORITY =
      "extras: {hivedScheduler: {jobPriorityClass: prod, taskRoles: {}}}";

  private final OpenPaiFixture fixture = new OpenPaiFixture();
  private String alice;
  private String bob;
  private String root;

  @BeforeEach
  void signIn() throws Exception {
    alice = fixture.signIn("alice");
    bob = fixture.signIn("bob");
    root = fixture.signIn("root");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Job running(String name, String extraFields) throws Exception {
    return fixture.jobs.await(
        fixture.submit(alice, "alice", file(name, extraFields)), JobState.RUNNING);
  }

  private void finish(Job job, int code, JobState end) {
    fixture.jobs.engine.finish(fixture.jobs.task(job, 0), code);
    fixture.jobs.await(job, end);
  }

  @Test
  void history_ofLargeJob_hasFewAttempts() {
    assertThat(JobOperations.attemptsInHistory(1)).isEqualTo(100);
    assertThat(JobOperations.attemptsInHistory(1_000)).isEqualTo(10);
    assertThat(JobOperations.attemptsInHistory(10_000)).isEqualTo(1);
    assertThat(JobOperations.attemptsInHistory(20_000)).isEqualTo(1);
  }

  @Test
  void submit_respondsLikeOpenPai() throws Exception {
    HttpResponse<String> response =
        fixture.send(alice, "POST", "/jobs", file("a", ""), "Content-Type", "text/yaml");
    assertThat(response.statusCode()).isEqualTo(202);
    assertThat(response.body())
        .isEqualTo("{\"status\":202,\"message\":\"Update job a for user alice successfully.\"}");
    HttpResponse<String> again =
        fixture.send(alice, "POST", "/jobs", file("a", ""), "Content-Type", "text/yaml");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body())
        .isEqualTo("{\"code\":\"ConflictJobError\",\"message\":\"Job alice~a already exists.\"}");
    HttpResponse<String> bad =
        fixture.send(alice, "POST", "/jobs", "protocolVersion: 2\n", "Content-Type", "text/plain");
    assertThat(refusal(bad)).isEqualTo("400 InvalidProtocolError");
    JsonNode problems = Json.MAPPER.readTree(TestWeb.json(bad).get("message").textValue());
    assertThat(problems).isNotEmpty();
    assertThat(problems.get(0).get("message").textValue()).isNotEmpty();
  }

  @Test
  void submit_moreThan100Kilobytes() throws Exception {
    String large = file("large", "parameters: {text: " + "x".repeat(300_000) + "}");
    assertThat(
            fixture.send(alice, "POST", "/jobs", large, "Content-Type", "text/yaml").statusCode())
        .isEqualTo(202);
    HttpResponse<String> tooLarge =
        fixture.send(alice, "POST", "/jobs", "x".repeat(10 << 20), "Content-Type", "text/yaml");
    assertThat(refusal(tooLarge)).isEqualTo("400 InvalidProtocolError");
  }

  @Test
  void show_fromSubmissionToEnd() throws Exception {
    Job job = running("hello", "");
    JsonNode shown = fixture.get(alice, "/jobs/alice~hello");
    assertThat(shown.get("debugId").textValue()).hasSize(32);
    assertThat(shown.at("/jobStatus/state").textValue()).isEqualTo("RUNNING");
    assertThat(shown.at("/jobStatus/subState").textValue()).isEqualTo("AttemptRunning");
    assertThat(shown.at("/jobStatus/executionType").textValue()).isEqualTo("START");
    assertThat(shown.at("/jobStatus/appExitCode").isNull()).isTrue();
    JsonNode task = shown.at("/taskRoles/taskrole/taskStatuses/0");
    assertThat(task.get("taskState").textValue()).isEqualTo("RUNNING");
    assertThat(task.get("containerNodeName").textValue()).isEqualTo("box");
    assertThat(task.get("containerPorts").get("http").textValue()).matches("[0-9]+");
    finish(job, 3, JobState.FAILED);
    JsonNode over = fixture.get(alice, "/jobs/alice~hello/attempts/0").get("jobStatus");
    assertThat(over.get("state").textValue()).isEqualTo("FAILED");
    assertThat(over.get("attemptState").textValue()).isEqualTo("FAILED");
    assertThat(over.get("appExitCode").intValue()).isEqualTo(3);
    assertThat(over.at("/appExitSpec/phrase").textValue()).isEqualTo("PAIRuntimeUnknownFailed");
    assertThat(over.get("appExitTriggerTaskRoleName").textValue()).isEqualTo("taskrole");
    assertThat(over.get("appProgress").intValue()).isEqualTo(1);
    assertThat(refusal(fixture.send(alice, "GET", "/jobs/alice~hello/attempts/1", "")))
        .isEqualTo("404 NoJobError");
  }

  @Test
  void show_waitingJob() throws Exception {
    fixture.submit(alice, "alice", file("big", "").replace("cpu: 1", "cpu: 99"));
    JsonNode shown = fixture.get(alice, "/jobs/alice~big");
    assertThat(shown.at("/jobStatus/state").textValue()).isEqualTo("WAITING");
    assertThat(shown.at("/jobStatus/subState").textValue()).isEqualTo("AttemptCreationPending");
    assertThat(shown.at("/taskRoles/taskrole/taskStatuses/0/taskState").textValue())
        .isEqualTo("WAITING");
  }

  @Test
  void show_jobOfOtherUser_notFound() throws Exception {
    running("mine", "");
    for (String path : List.of("", "/config", "/events", "/job-attempts", "/ssh")) {
      HttpResponse<String> response = fixture.send(bob, "GET", "/jobs/alice~mine" + path, "");
      assertThat(refusal(response)).isEqualTo("404 NoJobError");
      assertThat(response.body()).contains("Job alice~mine is not found.");
    }
    assertThat(
            refusal(
                fixture.send(bob, "PUT", "/jobs/alice~mine/executionType", "{\"value\":\"STOP\"}")))
        .isEqualTo("404 NoJobError");
    assertThat(fixture.get(root, "/jobs/alice~mine").get("name").textValue()).isEqualTo("mine");
    assertThat(fixture.get(bob, "/jobs")).isEmpty();
  }

  @Test
  void config_jsonWithMaskedSecrets() throws Exception {
    running("a", "");
    HttpResponse<String> config = fixture.send(alice, "GET", "/jobs/alice~a/config", "");
    assertThat(config.headers().firstValue("content-type").orElseThrow()).startsWith("text/yaml");
    JsonNode fields = TestWeb.json(config);
    assertThat(fields.get("name").textValue()).isEqualTo("a");
    assertThat(fields.at("/secrets/word").textValue()).isEqualTo("******");
    assertThat(config.body()).doesNotContain("hidden-word");
  }

  @Test
  void executionType_stopStartStop_takesEffect() throws Exception {
    Job job = running("a", "");
    String path = "/jobs/alice~a/executionType";
    HttpResponse<String> stopped =
        fixture.send(alice, "PUT", path, "\"{\\\"value\\\":\\\"STOP\\\"}\"");
    assertThat(stopped.body()).contains("Execute job a for user alice successfully.");
    assertThat(stopped.statusCode()).isEqualTo(202);
    JsonNode status = fixture.get(alice, "/jobs/alice~a").get("jobStatus");
    assertThat(status.get("executionType").textValue()).isEqualTo("STOP");
    assertThat(status.get("state").textValue()).isEqualTo("STOPPING");
    fixture.jobs.engine.finish(fixture.jobs.task(job, 0), 143);
    fixture.jobs.await(job, JobState.STOPPED);
    for (String value : List.of("START", "STOP")) {
      assertThat(fixture.send(alice, "PUT", path, "{\"value\":\"" + value + "\"}").statusCode())
          .isEqualTo(202);
    }
    JsonNode over = fixture.get(alice, "/jobs/alice~a");
    assertThat(over.at("/jobStatus/state").textValue()).isEqualTo("STOPPED");
    assertThat(over.at("/jobStatus/appExitCode").intValue()).isEqualTo(-210);
    assertThat(over.at("/taskRoles/taskrole/taskStatuses/0/containerExitCode").intValue())
        .isEqualTo(-210);
    assertThat(refusal(fixture.send(alice, "PUT", path, "{\"value\":\"GO\"}")))
        .isEqualTo("400 InvalidParametersError");
  }

  @Test
  void tags_addedListedAndRemoved() throws Exception {
    running("a", "");
    running("b", PRIORITY);
    String tag = "/jobs/alice~a/tag";
    assertThat(fixture.send(alice, "PUT", tag, "{\"value\":\"good\"}").statusCode()).isEqualTo(200);
    assertThat(fixture.send(alice, "PUT", tag, "{\"value\":\"good\"}").statusCode()).isEqualTo(200);
    assertThat(refusal(fixture.send(alice, "PUT", tag, "{\"value\":\"a,b\"}")))
        .isEqualTo("400 InvalidParametersError");
    assertThat(refusal(fixture.send(bob, "PUT", tag, "{\"value\":\"mine\"}")))
        .isEqualTo("404 NoJobError");
    assertThat(names("?tagsContain=good,other")).containsExactly("a");
    assertThat(names("?tagsNotContain=good")).containsExactly("b");
    assertThat(fixture.get(alice, "/jobs/alice~a").get("tags")).hasSize(1);
    assertThat(fixture.send(alice, "DELETE", tag, "{\"value\":\"good\"}").statusCode())
        .isEqualTo(200);
    assertThat(refusal(fixture.send(alice, "DELETE", tag, "{\"value\":\"good\"}")))
        .isEqualTo("404 NoTagError");
  }

  private List<String> names(String query) throws Exception {
    List<String> names = new ArrayList<>();
    fixture.get(alice, "/jobs" + query).forEach(job -> names.add(job.get("name").textValue()));
    return names;
  }

  @Test
  void list_byAllClientParameters() throws Exception {
    Job first = running("first", "");
    finish(first, 0, JobState.SUCCEEDED);
    fixture.clock.advance(Duration.ofSeconds(1));
    running("second", PRIORITY);
    fixture.clock.advance(Duration.ofSeconds(1));
    fixture.submit(alice, "alice", file("third", "").replace("cpu: 1", "cpu: 99"));
    assertThat(names("")).containsExactly("third", "second", "first");
    assertThat(names("?order=jobName,ASC")).containsExactly("first", "second", "third");
    assertThat(names("?order=completionTime,ASC").getFirst()).isEqualTo("first");
    assertThat(names("?order=completionTime,DESC").getLast()).isEqualTo("first");
    assertThat(names("?state=WAITING,SUCCEEDED")).containsExactly("third", "first");
    assertThat(names("?state=UNKNOWN")).isEmpty();
    assertThat(names("?keyword=SECO")).containsExactly("second");
    assertThat(names("?keyword=lice")).hasSize(3);
    assertThat(names("?keyword=%25")).isEmpty();
    assertThat(names("?jobPriority=prod")).containsExactly("second");
    assertThat(names("?jobPriority=default&keyword=i")).containsExactly("third", "first");
    assertThat(names("?vc=default&offset=1&limit=1")).containsExactly("second");
    assertThat(names("?vc=other")).isEmpty();
    assertThat(names("?username=bob")).isEmpty();
    JsonNode page = fixture.get(alice, "/jobs?withTotalCount=true&limit=1");
    assertThat(page.get("totalCount").intValue()).isEqualTo(3);
    assertThat(page.get("data")).hasSize(1);
    JsonNode item = fixture.get(alice, "/jobs?keyword=second").get(0);
    assertThat(item.get("jobPriority").textValue()).isEqualTo("prod");
    assertThat(item.get("totalTaskNumber").intValue()).isEqualTo(1);
    assertThat(item.get("tags")).isEmpty();
    assertThat(item.get("retryDetails").get("user").intValue()).isZero();
    HttpResponse<String> tooMany = fixture.send(alice, "GET", "/jobs?limit=50001", "");
    assertThat(tooMany.body()).contains("Limit exceeds max number 50000.");
    for (String wrong : List.of("limit=x", "offset=-1", "order=name,ASC", "order=state,UP")) {
      assertThat(refusal(fixture.send(alice, "GET", "/jobs?" + wrong, "")))
          .isEqualTo("400 InvalidParametersError");
    }
  }

  @Test
  void attempts_areAllListed() throws Exception {
    Job job = running("a", "jobRetryCount: 1");
    fixture.jobs.engine.finish(fixture.jobs.task(job, 0), 1);
    JobFixture.eventually(
        () -> fixture.jobs.job(job).status().attempt() == 2, "the second attempt");
    TaskId second = new TaskId(job.id(), 2, "Task_Role", 0);
    JobFixture.eventually(() -> fixture.jobs.engine.started().contains(second), "the start");
    fixture.jobs.engine.finish(second, 0);
    fixture.jobs.await(job, JobState.SUCCEEDED);
    JsonNode shown = fixture.get(alice, "/jobs/alice~a");
    assertThat(shown.at("/jobStatus/retries").intValue()).isEqualTo(1);
    assertThat(shown.at("/jobStatus/attemptId").intValue()).isEqualTo(1);
    JsonNode old = fixture.get(alice, "/jobs/alice~a/attempts/0").get("jobStatus");
    assertThat(old.get("attemptState").textValue()).isEqualTo("FAILED");
    assertThat(old.get("appExitCode").intValue()).isEqualTo(1);
    JsonNode all = fixture.get(alice, "/jobs/alice~a/job-attempts");
    assertThat(all).hasSize(2);
    assertThat(all.get(0).get("isLatest").booleanValue()).isTrue();
    assertThat(all.get(1).get("exitCode").intValue()).isEqualTo(1);
    assertThat(fixture.get(alice, "/jobs/alice~a/job-attempts/0").get("attemptIndex").intValue())
        .isZero();
    assertThat(fixture.send(alice, "GET", "/jobs/alice~none/job-attempts/healthz", "").body())
        .isEqualTo("ok");
    JsonNode task =
        fixture.get(alice, "/jobs/alice~a/attempts/0/taskRoles/taskrole/taskIndex/0/attempts");
    assertThat(task.get("taskState").textValue()).isEqualTo("FAILED");
    assertThat(task.at("/attempts/0/containerExitCode").intValue()).isEqualTo(1);
    for (String index : List.of("1", "-1", "x", "99999999999")) {
      String path = "/jobs/alice~a/attempts/0/taskRoles/taskrole/taskIndex/" + index + "/attempts";
      assertThat(refusal(fixture.send(alice, "GET", path, ""))).isEqualTo("404 NoTaskError");
    }
  }

  /** A task that has not run has its place in the detail, its history, and no log. */
  @Test
  void taskThatNeverRan_hasTheStateOfItsJob_andNoLog() throws Exception {
    Job job = fixture.submit(alice, "alice", file("a", "").replace("cpu: 1", "cpu: 99"));
    checkNeverRan("WAITING");
    fixture.send(alice, "PUT", "/jobs/alice~a/executionType", "{\"value\":\"STOP\"}");
    fixture.jobs.await(job, JobState.STOPPED);
    checkNeverRan("STOPPED");
  }

  private void checkNeverRan(String state) throws Exception {
    JsonNode detail = fixture.get(alice, "/jobs/alice~a");
    JsonNode listed = detail.at("/taskRoles/taskrole/taskStatuses/0");
    String path = "/jobs/alice~a/attempts/0/taskRoles/taskrole/taskIndex/0/attempts";
    JsonNode task = fixture.get(alice, path);
    assertThat(
            List.of(
                detail.at("/jobStatus/state").textValue(),
                detail.at("/jobStatus/attemptState").textValue(),
                listed.get("taskState").textValue(),
                listed.get("attemptState").textValue(),
                task.get("taskState").textValue(),
                task.at("/attempts/0/attemptState").textValue()))
        .containsOnly(state);
    assertThat(task.get("taskUid")).isEqualTo(listed.get("taskUid"));
    assertThat(task.at("/attempts/0/containerLog")).isEqualTo(listed.get("containerLog"));
    assertThat(refusal(fixture.send(alice, "GET", listed.get("containerLog").textValue(), "")))
        .isEqualTo("404 NoTaskLogError");
    for (String missing :
        List.of("taskrole/taskIndex/1", "taskrole/taskIndex/-1", "x/taskIndex/0")) {
      String other = "/jobs/alice~a/attempts/0/taskRoles/" + missing + "/attempts";
      assertThat(refusal(fixture.send(alice, "GET", other, ""))).isEqualTo("404 NoTaskError");
    }
  }

  @Test
  void logs_linkWithoutHeader_works() throws Exception {
    Job job = running("a", "");
    fixture.jobs.engine.write(fixture.jobs.task(job, 0), false, "x".repeat(20_000) + "out\n");
    fixture.jobs.engine.write(fixture.jobs.task(job, 0), true, "err\n");
    String path = "/jobs/alice~a/attempts/0/taskRoles/taskrole/taskIndex/0/attempts/0/logs";
    JsonNode locations = fixture.get(alice, path).get("locations");
    assertThat(locations).hasSize(3);
    String stdout = locations.get(0).get("uri").textValue();
    assertThat(stdout).startsWith("/log-manager/box");
    assertThat(fixture.web.get(stdout).body()).hasSize(20_004).endsWith("out\n");
    assertThat(fixture.web.get(locations.get(1).get("uri").textValue()).body()).isEqualTo("err\n");
    assertThat(fixture.web.get(locations.get(2).get("uri").textValue()).body())
        .endsWith("out\nerr\n");
    for (String tail : List.of("?tail-mode=true", "?tailMode=true")) {
      String uri = fixture.get(alice, path + tail).at("/locations/0/uri").textValue();
      assertThat(fixture.web.get(uri).body()).hasSize(16_384).endsWith("out\n");
    }
    assertThat(fixture.web.get(stdout.replace("token=", "token=A")).statusCode()).isEqualTo(401);
    assertThat(fixture.web.get(stdout.replaceAll("token=[^&]*", "")).statusCode()).isEqualTo(401);
    assertThat(refusal(fixture.send(bob, "GET", path, ""))).isEqualTo("404 NoJobError");
    assertThat(refusal(fixture.send(alice, "GET", path.replace("/0/logs", "/1/logs"), "")))
        .isEqualTo("404 NoTaskLogError");
    fixture.clock.advance(LogLinks.LIFETIME.plusSeconds(1));
    assertThat(fixture.web.get(stdout).statusCode()).isEqualTo(401);
  }

  @Test
  void logs_linksOfADisabledUser_rejected() throws Exception {
    Job job = running("a", "");
    fixture.jobs.engine.write(fixture.jobs.task(job, 0), false, "out\n");
    String path = "/jobs/alice~a/attempts/0/taskRoles/taskrole/taskIndex/0/attempts/0/logs";
    String stdout = fixture.get(alice, path).at("/locations/0/uri").textValue();
    assertThat(fixture.web.get(stdout).statusCode()).isEqualTo(200);
    fixture.users.change(Actor.SYSTEM, "alice", Optional.empty(), Optional.of(true));
    assertThat(fixture.web.get(stdout).statusCode()).isEqualTo(401);
  }

  @Test
  void logs_manyUnreadDownloadsOfOneHolder_rejected() throws Exception {
    Job job = running("a", "");
    fixture.jobs.engine.write(fixture.jobs.task(job, 0), false, "out\n");
    String role = fixture.jobs.task(job, 0).role();
    Path log = fixture.jobs.logs.directory(job.id()).resolve("1/" + role + "/0/stdout");
    try (RandomAccessFile sparse = new RandomAccessFile(log.toString(), "rw")) {
      sparse.setLength(1L << 28); // more than the buffers of a connection hold
    }
    String path = "/jobs/alice~a/attempts/0/taskRoles/taskrole/taskIndex/0/attempts/0/logs";
    String stdout = fixture.get(alice, path).at("/locations/0/uri").textValue();
    String ofRoot = fixture.get(root, path).at("/locations/0/uri").textValue();
    List<Socket> unread = new ArrayList<>();
    try {
      for (int i = 0; i < LogOperations.MAX_DOWNLOADS; i++) {
        unread.add(download(stdout));
      }
      assertThat(fixture.web.get(stdout).statusCode()).isEqualTo(429);
      unread.add(download(ofRoot));
    } finally {
      for (Socket socket : unread) {
        socket.close();
      }
    }
  }

  /** Begins a download and does not read its content. */
  private Socket download(String uri) throws IOException {
    Socket socket = new Socket(fixture.web.url().getHost(), fixture.web.url().getPort());
    String request = "GET " + uri + " HTTP/1.1\r\nHost: a\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    byte[] begin = socket.getInputStream().readNBytes(12);
    assertThat(new String(begin, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
    return socket;
  }

  @Test
  void events_newestFirst() throws Exception {
    Job job = running("a", "");
    finish(job, 1, JobState.FAILED);
    JsonNode events = fixture.get(alice, "/jobs/alice~a/events");
    assertThat(events.get("totalCount").intValue()).isEqualTo(events.get("data").size());
    assertThat(events.at("/data/0/reason").textValue()).isEqualTo("Failed");
    assertThat(events.at("/data/0/type").textValue()).isEqualTo("Warning");
    JsonNode normal = fixture.get(alice, "/jobs/alice~a/events?type=Normal").get("data");
    assertThat(normal)
        .isNotEmpty()
        .allMatch(event -> event.get("type").textValue().equals("Normal"));
    assertThat(refusal(fixture.send(alice, "GET", "/jobs/alice~a/events?type=Odd", "")))
        .isEqualTo("400 InvalidParametersError");
  }
}
