package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.FakeRequest;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.secret.TestSecrets;
import dev.trainyard.server.team.JobAdmission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

@EveryDatabase
class JobRoutesTest {
  private static final Caller ALICE = new Caller("u1", "alice", false, "t1");
  private static final Caller BOB = new Caller("u2", "bob", false, "t2");
  private static final Caller ADMIN = new Caller("u0", "admin", true, "t0");
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_000L);

  private final Db db;
  private final JobStore store = new JobStore(InstantSource.system());
  private final AttemptStore attempts = new AttemptStore();
  private final SilentQueue queue = new SilentQueue();
  private final List<JobId> cleaned = new ArrayList<>();
  private final FakeRequest.Table routes = new FakeRequest.Table();

  JobRoutesTest(Db db) {
    this.db = db;
    JobService service =
        new JobService(
            db,
            store,
            attempts,
            queue,
            TestSecrets.create(),
            new JobChanges(),
            JobFiles::parse,
            JobAdmission.ALLOW_ALL,
            _ -> List.of(Message.of("notice.image-unused")),
            cleaned::add,
            InstantSource.fixed(NOW));
    new JobRoutes(service).addTo(routes);
  }

  private Map<?, ?> submit(Caller caller, String text) {
    Reply reply = routes.call("POST /api/v3/jobs", FakeRequest.by(caller).body(text));
    assertThat(reply.status()).isEqualTo(201);
    return (Map<?, ?>) reply.body();
  }

  private Map<?, ?> show(Caller caller, String job) {
    return (Map<?, ?>)
        routes.call("GET /api/v3/jobs/:job", FakeRequest.by(caller).path("job", job)).body();
  }

  private List<String> names(FakeRequest request) {
    Map<?, ?> page = (Map<?, ?>) routes.call("GET /api/v3/jobs", request).body();
    return ((List<?>) page.get("jobs"))
        .stream().map(job -> (String) ((Map<?, ?>) job).get("name")).toList();
  }

  private void end(String id, JobState state) {
    db.write(
        handle -> {
          Job job = store.find(handle, new JobId(id)).orElseThrow();
          Job preparing = store.change(handle, job, job.status().preparing()).orElseThrow();
          return store
              .change(
                  handle,
                  preparing,
                  preparing
                      .status()
                      .ended(
                          state,
                          OptionalInt.of(7),
                          Optional.of(Message.of("end.exit-code", "exitCode", 7)),
                          NOW))
              .orElseThrow();
        });
  }

  private static void assertRefused(Runnable call, ErrorCode code) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            AppException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  @Test
  void submit_storedAndQueued() {
    Map<?, ?> response = submit(ALICE, JobFileText.named("hello"));
    assertThat(response.get("name")).isEqualTo("hello");
    assertThat(response.get("user")).isEqualTo("alice");
    assertThat(response.get("state")).isEqualTo(JobState.WAITING);
    assertThat(response.get("neverFits")).isEqualTo(false);
    assertThat(queue.submitted).containsExactly(new JobId((String) response.get("id")));
    Map<?, ?> shown = show(ALICE, "hello");
    assertThat(shown.get("reason")).asString().contains("3 jobs are ahead");
    assertThat(shown.get("memoryMB")).isEqualTo(512L);
    assertThat(shown.get("submitted")).isEqualTo(NOW.toEpochMilli());
    assertThat(shown.get("notices")).asString().contains("notice.image-unused");
  }

  @Test
  void submit_neverFits_isReportedImmediately() {
    Map<?, ?> response = submit(ALICE, JobFileText.of("big", "main", 1, 1000, 0, ""));
    assertThat(response.get("neverFits")).isEqualTo(true);
    assertThat(response.get("reason")).isNotNull();
  }

  @Test
  void submit_manyTasks() {
    submit(ALICE, JobFileText.of("many", "w", 10_000, 1, 0, ""));
    assertThat(show(ALICE, "many").get("cpus")).isEqualTo(10_000L);
  }

  @Test
  void submit_nameTaken() {
    submit(ALICE, JobFileText.named("hello"));
    assertRefused(() -> submit(ALICE, JobFileText.named("hello")), ErrorCode.NAME_TAKEN);
    submit(BOB, JobFileText.named("hello"));
    assertThat(queue.submitted).hasSize(2);
  }

  @Test
  void submit_suffix() {
    for (String name : List.of("run", "run-2", "run-3", "run-4", "run-5", "run-6")) {
      Reply reply =
          routes.call(
              "POST /api/v3/jobs",
              FakeRequest.by(ALICE).query("suffix", "true").body(JobFileText.named("run")));
      assertThat(((Map<?, ?>) reply.body()).get("name")).isEqualTo(name);
    }
  }

  @Test
  void submit_suffixOnLongestName() {
    String name = "x".repeat(255);
    submit(ALICE, JobFileText.named(name));
    Reply reply =
        routes.call(
            "POST /api/v3/jobs",
            FakeRequest.by(ALICE).query("suffix", "true").body(JobFileText.named(name)));
    assertThat(((Map<?, ?>) reply.body()).get("name")).isEqualTo("x".repeat(253) + "-2");
  }

  @Test
  void submit_invalidFile_reportsAllProblemsAndStoresNothing() {
    Map<String, String> bad =
        Map.of(
            "{\"jobName\": ",
            "",
            JobFileText.of("a", "main", 1, 1, 0, "\"unknown\": 1,"),
            "unknown",
            JobFileText.of("a", "main", 1, -1, 0, ""),
            "taskRoles[0].cpuNumber",
            JobFileText.named("../a"),
            "jobName",
            JobFileText.named("a~b"),
            "jobName",
            JobFileText.named("\uD83D\uDE80"),
            "jobName",
            JobFileText.of("a", "main", 10_001, 1, 0, ""),
            "taskRoles",
            JobFileText.of("a", "main", 1, 1, 0, "\"retryCount\": -3,"),
            "retryCount",
            "x".repeat(10 << 20),
            "");
    bad.forEach(
        (text, path) ->
            assertThatThrownBy(() -> submit(ALICE, text))
                .isInstanceOfSatisfying(
                    AppException.class,
                    refusal -> {
                      assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_JOB);
                      assertThat(refusal.problems())
                          .anyMatch(problem -> problem.path().startsWith(path));
                    }));
    assertThat(names(FakeRequest.by(ADMIN))).isEmpty();
    assertThat(queue.submitted).isEmpty();
  }

  @Test
  void submit_bodyAboveLimit() {
    assertRefused(
        () -> routes.call("POST /api/v3/jobs", FakeRequest.by(ALICE)), ErrorCode.INVALID_JOB);
  }

  @Test
  void show_byIdNameAndUserWithName() {
    String id = (String) submit(ALICE, JobFileText.named("hello")).get("id");
    for (String reference : List.of(id, "hello", "alice~hello")) {
      assertThat(show(ALICE, reference).get("id")).isEqualTo(id);
    }
    assertThat(show(ADMIN, "alice~hello").get("id")).isEqualTo(id);
    for (String reference :
        List.of(id, "hello", "alice~hello", "alice~", "~hello", "", "~", "x~y~z")) {
      assertRefused(() -> show(BOB, reference), ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void show_userNameReused() {
    submit(ALICE, JobFileText.named("old"));
    Caller laterAlice = new Caller("u9", "alice", false, "t9");
    submit(laterAlice, JobFileText.named("new"));
    assertRefused(() -> show(laterAlice, "alice~old"), ErrorCode.NOT_FOUND);
    assertThat(names(FakeRequest.by(laterAlice))).containsExactly("new");
    assertThat(names(FakeRequest.by(ADMIN).query("user", "alice"))).containsExactly("new", "old");
  }

  @Test
  void list_filters() {
    for (String name : List.of("a-1", "a-2", "b-1")) {
      submit(ALICE, JobFileText.named(name));
    }
    end((String) submit(BOB, JobFileText.named("a-3")).get("id"), JobState.FAILED);
    assertThat(names(FakeRequest.by(ADMIN))).containsExactly("a-3", "b-1", "a-2", "a-1");
    assertThat(names(FakeRequest.by(ALICE))).containsExactly("b-1", "a-2", "a-1");
    assertThat(names(FakeRequest.by(ALICE).query("user", "bob"))).isEmpty();
    assertThat(names(FakeRequest.by(ADMIN).query("user", "bob"))).containsExactly("a-3");
    assertThat(names(FakeRequest.by(ADMIN).query("user", "nobody"))).isEmpty();
    assertThat(names(FakeRequest.by(ADMIN).query("state", "failed,stopped")))
        .containsExactly("a-3");
    assertThat(names(FakeRequest.by(ADMIN).query("name", "a-")))
        .containsExactly("a-3", "a-2", "a-1");
    assertThat(names(FakeRequest.by(ADMIN).query("name", "a-").query("state", "WAITING")))
        .containsExactly("a-2", "a-1");
  }

  @Test
  void list_pages() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      submit(ALICE, JobFileText.named("n" + i));
      expected.addFirst("n" + i);
    }
    List<String> seen = new ArrayList<>();
    FakeRequest request = FakeRequest.by(ALICE).query("limit", "3");
    Object next = "";
    for (int page = 0; page < 3; page++) {
      assertThat(next).isNotNull();
      seen.addAll(names(request));
      next = ((Map<?, ?>) routes.call("GET /api/v3/jobs", request).body()).get("next");
      request = request.query("after", String.valueOf(next));
    }
    assertThat(next).isNull();
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void search_daysOfTimeZone() {
    submit(ALICE, JobFileText.named("late")); // at 22:13 UTC, which is the next morning in China
    FakeRequest next = FakeRequest.by(ALICE).query("since", "2023-11-15");
    assertThat(names(next)).isEmpty();
    assertThat(names(next.query("zone", "Asia/Shanghai"))).containsExactly("late");
    assertRefused(() -> names(next.query("zone", "Mars")), ErrorCode.BAD_REQUEST);
  }

  @Test
  void list_invalidQuery_reportsAllProblems() {
    FakeRequest request =
        FakeRequest.by(ALICE)
            .query("limit", "501")
            .query("after", "x")
            .query("state", "LOST,RUNNING")
            .query("name", "%");
    assertThatThrownBy(() -> names(request))
        .isInstanceOfSatisfying(
            AppException.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
              assertThat(refusal.problems())
                  .extracting("path")
                  .containsExactlyInAnyOrder("limit", "after", "state", "name");
            });
  }

  @Test
  void list_manyWords_reportsOneProblem() {
    String many = ",".repeat(65_000);
    for (String name : List.of("state", "tag", "withoutTag", "virtualCluster")) {
      assertOneProblem(FakeRequest.by(ALICE).query(name, many), "error.too-many-words");
    }
    assertOneProblem(FakeRequest.by(ALICE).query("state", "a,b,c"), "error.not-a-state");
  }

  private void assertOneProblem(FakeRequest request, String code) {
    assertThatThrownBy(() -> names(request))
        .isInstanceOfSatisfying(
            AppException.class,
            refusal ->
                assertThat(refusal.problems())
                    .extracting(problem -> problem.message().code())
                    .containsExactly(code));
  }

  @Test
  void submit_openPaiV2_isStoredWithoutItsSecrets() {
    String text =
        """
        protocolVersion: 2
        name: v2
        type: job
        secrets: {token: hunter2}
        parameters: {lr: 0.5, deep: [1, {x: null}]}
        prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
        taskRoles:
          w:
            dockerImage: i
            resourcePerInstance: {cpu: 1, memoryMB: 512, gpu: 0}
            commands: ['echo <% $secrets.token %> <% $parameters.lr %>']
        extras:
          gangAllocation: false
          com.microsoft.pai.runtimeplugin: [{plugin: git, parameters: {repo_uri: x}}]
        """;
    submit(ALICE, text);
    Job job = db.read(handle -> store.findByName(handle, ALICE.userId(), "v2")).orElseThrow();
    JobConfig config = db.read(handle -> store.findConfig(handle, job.id())).orElseThrow();
    assertThat(config.raw()).isEqualTo(text.replace("{token: hunter2}", "{\"token\": \"******\"}"));
    assertThat(config.spec()).isEqualTo(JobFiles.parse(text).spec().orElseThrow());
    assertThat(config.spec().role("w").command()).isEqualTo("echo <% $secrets.token %> 0.5");
    assertThat(show(ALICE, "v2").toString()).contains("openpai-v2").doesNotContain("hunter2");
  }

  @Test
  void exits_completeTableInBothLanguages() throws Exception {
    FakeRequest.Table exits = new FakeRequest.Table();
    new ExitRoutes().addTo(exits);
    Object body = exits.call("GET /api/v3/exits", FakeRequest.by(ALICE)).body();
    String text = dev.trainyard.server.http.Json.MAPPER.writeValueAsString(body);
    assertThat(text)
        .contains("\"exit\":\"COMMAND_NOT_FOUND\",\"codes\":[[127,127]]")
        .contains("PAIRuntimeSSHBarrierTimeout")
        .contains("运行时插件失败");
  }

  @Test
  void schemas_publicAndPerFormat() {
    FakeRequest.Table schemas = new FakeRequest.Table();
    new SchemaRoutes().addTo(schemas);
    assertThat(schemas.call("GET /api/v3/schemas", FakeRequest.by(ALICE)).body().toString())
        .contains("openpai-v1, openpai-v2");
    FakeRequest known = FakeRequest.by(ALICE).path("format", "openpai-v2");
    Reply schema = schemas.call("GET /api/v3/schemas/:format", known);
    assertThat(schema.body().toString()).contains("urn:trainyard:schema:openpai-v2");
    assertThat(schema.headers().get("Content-Type")).startsWith("application/schema+json");
    FakeRequest unknown = FakeRequest.by(ALICE).path("format", "x");
    assertRefused(() -> schemas.call("GET /api/v3/schemas/:format", unknown), ErrorCode.NOT_FOUND);
  }

  @Test
  void config_isTextAsSubmitted() {
    String text = JobFileText.named("hello") + "\n  ";
    submit(ALICE, text);
    Reply reply =
        routes.call("GET /api/v3/jobs/:job/config", FakeRequest.by(ALICE).path("job", "hello"));
    assertThat(reply.body()).isEqualTo(text);
    assertRefused(
        () ->
            routes.call(
                "GET /api/v3/jobs/:job/config", FakeRequest.by(BOB).path("job", "alice~hello")),
        ErrorCode.NOT_FOUND);
  }

  @Test
  void stop_waitingJob_endsImmediately() {
    submit(ALICE, JobFileText.named("hello"));
    Reply reply =
        routes.call(
            "POST /api/v3/jobs/:job/stop", FakeRequest.by(ADMIN).path("job", "alice~hello"));
    assertThat(reply.status()).isEqualTo(202);
    Map<?, ?> job = (Map<?, ?>) reply.body();
    assertThat(job.get("state")).isEqualTo(JobState.STOPPED);
    assertThat(job.get("reason")).isEqualTo("stopped by admin");
    assertThat(job.get("exitCode")).isNull();
    assertThat(queue.stopped).hasSize(1);
    assertRefused(
        () ->
            routes.call("POST /api/v3/jobs/:job/stop", FakeRequest.by(ALICE).path("job", "hello")),
        ErrorCode.CONFLICT);
  }

  @Test
  void changes_areAuditedButSubmissionsAreNot() {
    submit(ALICE, JobFileText.named("hello"));
    FakeRequest request = FakeRequest.by(ADMIN).path("job", "alice~hello");
    for (String act : List.of("pause", "pause", "resume", "stop")) {
      routes.call("POST /api/v3/jobs/:job/" + act, request);
    }
    routes.call("DELETE /api/v3/jobs/:job", request);
    List<String> records =
        db.read(
            handle ->
                handle
                    .createQuery("select user_name, action, target from audit order by id")
                    .map(
                        (rows, context) ->
                            rows.getString(1) + " " + rows.getString(2) + " " + rows.getString(3))
                    .list());
    // IDs come from two generators within one millisecond, so the order of the last ones is
    // undefined.
    assertThat(records)
        .containsExactlyInAnyOrder(
            "admin job.pause job:alice~hello",
            "admin job.resume job:alice~hello",
            "admin job.stop job:alice~hello",
            "admin job.delete job:alice~hello");
  }

  @Test
  void delete_onlyFinishedJobs() {
    String id = (String) submit(ALICE, JobFileText.named("hello")).get("id");
    FakeRequest request = FakeRequest.by(ALICE).path("job", "hello");
    assertRefused(() -> routes.call("DELETE /api/v3/jobs/:job", request), ErrorCode.CONFLICT);
    assertThat(cleaned).isEmpty();
    end(id, JobState.FAILED);
    assertThat(show(ALICE, "hello").get("exitCode")).isEqualTo(7);
    assertThat(routes.call("DELETE /api/v3/jobs/:job", request).status()).isEqualTo(204);
    assertThat(cleaned).containsExactly(new JobId(id));
    assertRefused(() -> show(ALICE, "hello"), ErrorCode.NOT_FOUND);
    long left =
        db.read(
            handle ->
                handle
                    .createQuery(
                        "select (select count(*) from job_config) + (select count(*) from"
                            + " attempt) + (select count(*) from task)")
                    .mapTo(Long.class)
                    .one());
    assertThat(left).isZero();
    submit(ALICE, JobFileText.named("hello"));
  }
}
