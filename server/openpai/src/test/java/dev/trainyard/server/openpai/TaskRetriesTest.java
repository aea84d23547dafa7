package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.file;
import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.queue.JobFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks that are retried on their own, as clients of OpenPAI see them. */
class TaskRetriesTest {
  private static final String TASK = "/attempts/0/taskRoles/taskrole/taskIndex/0/attempts";

  private final OpenPaiFixture fixture = new OpenPaiFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void taskRetriedOnItsOwn_hasItsAttemptsAndTheirLogs() throws Exception {
    String alice = fixture.signIn("alice");
    String text =
        file("a", "extras: {gangAllocation: false}")
            .replace("instances: 1", "instances: 1\n    taskRetryCount: 2");
    Job job = fixture.jobs.await(fixture.submit(alice, "alice", text), JobState.RUNNING);
    TaskId first = new TaskId(job.id(), 1, "Task_Role", 0);
    fixture.jobs.engine.write(first, false, "first\n");
    fixture.jobs.engine.finish(first, 7);
    JobFixture.eventually(
        () -> fixture.jobs.engine.started().contains(first.nextRun()), "the second run");
    fixture.jobs.engine.write(first.nextRun(), false, "second\n");

    JsonNode status = fixture.get(alice, "/jobs/alice~a").at("/taskRoles/taskrole/taskStatuses/0");
    assertThat(status.get("retries").intValue()).isEqualTo(1);
    assertThat(status.get("accountableRetries").intValue()).isEqualTo(1);
    assertThat(status.get("attemptId").intValue()).isEqualTo(1);
    assertThat(status.get("containerLog").textValue()).endsWith("/attempts/1/logs");

    JsonNode task = fixture.get(alice, "/jobs/alice~a" + TASK);
    assertThat(task.get("retries").intValue()).isEqualTo(1);
    assertThat(task.get("attempts")).hasSize(2);
    assertThat(task.at("/attempts/0/attemptId").intValue()).isEqualTo(1);
    assertThat(task.at("/attempts/1/attemptId").intValue()).isZero();
    assertThat(task.at("/attempts/1/attemptState").textValue()).isEqualTo("FAILED");
    assertThat(task.at("/attempts/1/containerExitCode").intValue()).isEqualTo(7);
    assertThat(task.at("/attempts/1/containerId")).isNotEqualTo(task.at("/attempts/0/containerId"));
    assertThat(task.get("taskUid")).isEqualTo(status.get("taskUid"));

    assertThat(log(alice, 0)).isEqualTo("first\n");
    assertThat(log(alice, 1)).isEqualTo("second\n");
    assertThat(refusal(fixture.send(alice, "GET", "/jobs/alice~a" + TASK + "/2/logs", "")))
        .isEqualTo("404 NoTaskLogError");
    fixture.jobs.engine.finish(first.nextRun(), 0);
    fixture.jobs.await(job, JobState.SUCCEEDED);
  }

  @Test
  void taskThatCausedTheFailure_reportsTheReactionOfThePlatform() throws Exception {
    String alice = fixture.signIn("alice");
    Job job = fixture.jobs.await(fixture.submit(alice, "alice", file("a", "")), JobState.RUNNING);
    TaskId task = fixture.jobs.task(job, 0);
    fixture.jobs.engine.write(task, true, "CUDA error: uncorrectable ECC error encountered\n");
    fixture.jobs.engine.finish(task, 1);
    JobFixture.eventually(
        () -> fixture.jobs.job(job).status().retries().past().faults() == 1, "the free retry");
    String attempt = "/jobs/alice~a/attempts/0";
    JsonNode status = fixture.get(alice, attempt).at("/taskRoles/taskrole/taskStatuses/0");
    JsonNode spec = status.get("containerExitSpec");
    assertThat(spec.get("code").intValue()).isEqualTo(223);
    assertThat(spec.get("reaction").textValue()).isEqualTo("ALWAYS_RETRY");
    assertThat(fixture.get(alice, "/jobs/alice~a" + TASK).at("/attempts/0/containerExitSpec"))
        .isEqualTo(spec);
  }

  private String log(String token, int run) throws Exception {
    String uri =
        fixture
            .get(token, "/jobs/alice~a" + TASK + "/" + run + "/logs")
            .at("/locations/0/uri")
            .textValue();
    return fixture.web.get(uri).body();
  }
}
