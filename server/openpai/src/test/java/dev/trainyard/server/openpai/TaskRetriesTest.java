package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.file;
import static dev.trainyard.server.openpai.OpenPaiFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskPorts;
import dev.trainyard.server.queue.JobFixture;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** A v1 script may continue after a command that is not found, and fail later. */
  @ParameterizedTest
  @CsvSource({"1, 255, PAIRuntimeUnknownFailed", "127, 220, UserCommandExitWithError"})
  void commandNotFound_reportsTheRowOfTheExitCode(int exitCode, int code, String phrase)
      throws Exception {
    String alice = fixture.signIn("alice");
    fail(alice, "run.sh: line 1: x: command not found\n", exitCode);
    JsonNode detail = fixture.get(alice, "/jobs/alice~a");
    assertThat(detail.at("/jobStatus/appExitCode").intValue()).isEqualTo(exitCode);
    JsonNode spec = detail.at("/jobStatus/appExitSpec");
    assertThat(spec.get("code").intValue()).isEqualTo(code);
    assertThat(spec.get("phrase").textValue()).isEqualTo(phrase);
    assertThat(spec.get("reaction").textValue()).isEqualTo("RETRY_TO_MAX");
    assertThat(detail.at("/taskRoles/taskrole/taskStatuses/0/containerExitSpec")).isEqualTo(spec);
    JsonNode attempt = fixture.get(alice, "/jobs/alice~a/job-attempts/0");
    JsonNode runtime = attempt.at("/appExitMessages/runtime");
    assertThat(runtime.get("exitCode").intValue()).isEqualTo(code);
    assertThat(runtime.get("originUserExitCode").intValue()).isEqualTo(exitCode);
  }

  /** The scripted engine has no images, like the process engine. */
  @Test
  void moduleMissing_engineWithoutImages_suggestsNoImage() throws Exception {
    String alice = fixture.signIn("alice");
    fail(alice, "ModuleNotFoundError: No module named 'torch'\n", 1);
    JsonNode detail = fixture.get(alice, "/jobs/alice~a");
    for (JsonNode spec :
        List.of(
            detail.at("/jobStatus/appExitSpec"),
            detail.at("/taskRoles/taskrole/taskStatuses/0/containerExitSpec"))) {
      assertThat(spec.get("code").intValue()).isEqualTo(232);
      assertThat(spec.at("/solution/0").textValue())
          .doesNotContain("image that")
          .contains("python3-torch");
      assertThat(spec.get("reason").textValue()).doesNotContain("in the image");
    }
  }

  @Test
  void earlierRun_processEngine_namesNoImage() throws Exception {
    String alice = fixture.signIn("alice");
    fail(alice, "", 127);
    Job job = fixture.jobs.service().load(fixture.tokens.callerOf(alice).orElseThrow(), "alice~a");
    Task placed =
        Task.assigned(fixture.jobs.task(job, 0), "box", "process", List.of(), TaskPorts.NONE);
    Task task = placed.ended(new TaskEnd(127, ExitReason.COMMAND_FAILED, "", Instant.EPOCH));
    Map<String, Object> view =
        new TaskView(job, Optional.empty(), "taskrole").history(task, List.of());
    assertThat(view.get("attempts").toString())
        .contains(Exit.COMMAND_NOT_FOUND.adviceWithoutImage().english())
        .doesNotContain("in the image");
  }

  private void fail(String alice, String error, int exitCode) throws Exception {
    Job job = fixture.jobs.await(fixture.submit(alice, "alice", file("a", "")), JobState.RUNNING);
    fixture.jobs.engine.write(fixture.jobs.task(job, 0), true, error);
    fixture.jobs.engine.finish(fixture.jobs.task(job, 0), exitCode);
    fixture.jobs.await(job, JobState.FAILED);
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
