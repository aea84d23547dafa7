package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.TestWeb;
import dev.trainyard.server.http.WebConfig;
import dev.trainyard.server.queue.JobFixture;
import dev.trainyard.server.work.Requester;
import dev.trainyard.server.work.WorkCanceledException;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests actions on many jobs, and job lists as CSV. */
@EveryDatabase
class JobBatchTest {
  private static final Map<String, Caller> CALLERS =
      Map.of("alice", JobFixture.ALICE, "bob", new Caller("u2", "bob", false, "t2"));

  private static final Caller ADMIN = new Caller("u3", "root", true, "t3");

  private final JobFixture fixture;
  private final TestWeb web;

  JobBatchTest(Db db) {
    fixture = new JobFixture(db).started();
    web =
        new TestWeb(
            WebConfig.local(0),
            routes -> new JobRoutes(fixture.service()).addTo(routes),
            token -> Optional.ofNullable(CALLERS.get(token)));
  }

  @AfterEach
  void close() {
    web.close();
    fixture.close();
  }

  private HttpResponse<String> send(String who, String method, String path, String body)
      throws Exception {
    return web.send(method, path, body, "Authorization", "Bearer " + who);
  }

  private JsonNode batch(String who, String body) throws Exception {
    return TestWeb.json(send(who, "POST", "/api/v3/jobs/batch", body)).get("results");
  }

  @Test
  void batch_returnsOneResultPerJob() throws Exception {
    Job one = fixture.await(fixture.submit(JobFileText.named("one")), JobState.RUNNING);
    fixture.await(fixture.submit(JobFileText.named("two")), JobState.RUNNING);
    String jobs = "\"jobs\": [\"one\", \"none\", \"alice~two\", \"one\"]";
    JsonNode tagged = batch("alice", "{\"action\": \"tag\", \"tag\": \"=1\", " + jobs + "}");
    assertThat(tagged).hasSize(3);
    assertThat(tagged.findValuesAsText("ok")).containsExactly("true", "false", "true");
    assertThat(tagged.at("/1/error/code").asText()).isEqualTo("NOT_FOUND");
    assertThat(batch("bob", "{\"action\": \"stop\", " + jobs + "}").findValuesAsText("ok"))
        .containsOnly("false");
    assertThat(
            batch("alice", "{\"action\": \"delete\", " + jobs + "}").at("/0/error/code").asText())
        .isEqualTo("CONFLICT");
    fixture.engine.finish(fixture.task(one, 0), 0);
    fixture.await(one, JobState.SUCCEEDED);
    JsonNode deleted = batch("alice", "{\"action\": \"delete\", " + jobs + "}");
    assertThat(deleted.findValuesAsText("ok")).containsExactly("true", "false", "false");
    assertThat(batch("alice", "{\"action\": \"stop\", " + jobs + "}").at("/2/ok").asBoolean())
        .isTrue();
  }

  @Test
  void namedJobs_allKindsOfReferences_areFoundLikeSingleJobs() {
    Job one = fixture.submit(JobFileText.named("one"));
    Job two = fixture.submit(JobFileText.named("two"));
    List<String> references =
        List.of("one", two.id().value(), "alice~two", "alice~none", "none", "nobody~one", "~", "");
    for (Caller caller : List.of(JobFixture.ALICE, CALLERS.get("bob"), ADMIN)) {
      NamedJobs named = NamedJobs.find(fixture.service(), caller, references);
      for (String reference : references) {
        assertThat(outcome(() -> named.load(reference)))
            .as(caller.userName() + " " + reference)
            .isEqualTo(outcome(() -> fixture.service().load(caller, reference)));
      }
    }
    assertThat(NamedJobs.find(fixture.service(), JobFixture.ALICE, references).loadable())
        .extracting(Job::id)
        .containsExactly(one.id(), two.id());
  }

  private static String outcome(Supplier<Job> loading) {
    try {
      return loading.get().id().value();
    } catch (AppException e) {
      return e.code() + " " + e.text().english();
    }
  }

  @Test
  void namedJobs_areReadInAPool() {
    Requester disconnected = new Requester(() -> "user alice");
    disconnected.end();
    // A pool rejects the work of a client that has disconnected; the calling thread would do it.
    assertThatThrownBy(
            () ->
                disconnected.call(
                    () -> NamedJobs.find(fixture.service(), JobFixture.ALICE, List.of("one"))))
        .isInstanceOf(WorkCanceledException.class);
  }

  @Test
  void batch_stopMany_runningJobsFirst() throws Exception {
    fixture.engine.endStoppedTasks();
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      all.add(fixture.submit(JobFileText.named("job" + i)));
    }
    Job running = fixture.await(all.getFirst(), JobState.RUNNING);
    String names =
        all.reversed().stream().map(job -> '"' + job.name() + '"').collect(Collectors.joining(","));

    JsonNode results = batch("alice", "{\"action\": \"stop\", \"jobs\": [" + names + "]}");

    assertThat(results).hasSize(130);
    assertThat(results.findValuesAsText("ok")).containsOnly("true");
    assertThat(results.at("/0/job").asText()).isEqualTo("job129");
    for (Job job : all) {
      fixture.await(job, JobState.STOPPED);
    }
    assertThat(fixture.engine.stopped()).contains(fixture.task(running, 0));
    JsonNode secondResult = batch("alice", "{\"action\": \"stop\", \"jobs\": [" + names + "]}");
    assertThat(secondResult.findValuesAsText("messageCode"))
        .hasSize(130)
        .containsOnly("error.job-is-over");
  }

  @Test
  void list_csv_sortedInChunks() throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 510; i++) {
      String name = "job" + (i * 7919) % 1000;
      names.add(name);
      fixture.submit(JobFileText.named(name));
    }
    String csv = send("alice", "GET", "/api/v3/jobs?format=csv&sort=name&order=asc", "").body();
    assertThat(csv.lines().skip(1).map(line -> line.split("\"", -1)[3]))
        .containsExactlyElementsOf(names.stream().sorted().toList());
  }

  @Test
  void list_csv_isReadInAPool() throws Exception {
    fixture.submit(JobFileText.named("job"));
    JobFilter all = new JobFilter(Optional.empty(), Set.of(), "", Optional.empty(), 50);
    Reply reply =
        new JobExport(fixture.service(), JobFixture.ALICE, () -> true).list(Optional.empty(), all);
    Reply.Stream stream = (Reply.Stream) reply.body();
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Reply.Sink sink =
        new Reply.Sink() {
          @Override
          public void write(byte[] bytes, int offset, int length) {
            written.write(bytes, offset, length);
          }

          @Override
          public boolean closed() {
            return false;
          }
        };
    Requester disconnected = new Requester(() -> "user alice");
    disconnected.end();
    // A pool rejects the work of a client that has disconnected; the calling thread would do it.
    assertThatThrownBy(
            () ->
                disconnected.call(
                    () -> {
                      stream.writeTo(sink);
                      return null;
                    }))
        .isInstanceOf(WorkCanceledException.class);
    assertThat(written.toString(StandardCharsets.UTF_8)).doesNotContain("job");
    stream.writeTo(sink);
    assertThat(written.toString(StandardCharsets.UTF_8)).contains("\"job\"");
  }

  @Test
  void batch_invalid_reportsAllProblems() throws Exception {
    HttpResponse<String> rejected =
        send("alice", "POST", "/api/v3/jobs/batch", "{\"action\": \"burn\", \"x\": 1}");
    assertThat(rejected.statusCode()).isEqualTo(400);
    assertThat(TestWeb.json(rejected).get("problems").findValuesAsText("path"))
        .containsExactlyInAnyOrder("action", "jobs", "x");
  }

  @Test
  void list_csv_isEscapedAndComplete() throws Exception {
    for (int i = 0; i < 3; i++) {
      Job job = fixture.submit(JobFileText.named("job" + i));
      fixture.service().tags().add(JobFixture.ALICE, job, "=cmd()");
    }
    for (String query : new String[] {"", "&sort=name", "&limit=1"}) {
      HttpResponse<String> csv = send("alice", "GET", "/api/v3/jobs?format=csv" + query, "");
      assertThat(csv.headers().firstValue("Content-Type")).contains("text/csv; charset=utf-8");
      assertThat(csv.body().lines()).hasSize(4);
      assertThat(csv.body()).contains("\"'=cmd()\"").startsWith("\uFEFF\"id\",\"name\"");
    }
    assertThat(send("bob", "GET", "/api/v3/jobs?format=csv", "").body().lines()).hasSize(1);
    assertThat(send("alice", "GET", "/api/v3/jobs?format=xls", "").statusCode()).isEqualTo(400);
  }
}
