package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.OpenPaiFixture.file;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.queue.JobFixture;
import dev.trainyard.server.team.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The responses about jobs in every state, virtual clusters, storages and accounts have the fields
 * and types of OpenPAI's.
 */
class ResponseShapesTest {
  private final OpenPaiFixture fixture = new OpenPaiFixture();
  private final List<String> differences = new ArrayList<>();
  private RecordedShapes shapes;
  private String alice;

  @BeforeEach
  void prepare() throws Exception {
    shapes = RecordedShapes.load();
    alice = fixture.signIn("alice");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Job running(String name, String extraFields) throws Exception {
    return fixture.jobs.await(
        fixture.submit(alice, "alice", file(name, extraFields)), JobState.RUNNING);
  }

  private void check(String shape, String path) throws Exception {
    JsonNode response = fixture.get(alice, path);
    shapes.differences(shape, response).forEach(one -> differences.add(path + ": " + one));
  }

  /** Requests everything about a job and compares it. */
  private void checkAll(String name, String state) throws Exception {
    String job = "/jobs/alice~" + name;
    JsonNode detail = fixture.get(alice, job);
    assertThat(detail.at("/jobStatus/state").textValue()).isEqualTo(state);
    check("JobSummary", "/jobs?keyword=" + name);
    check("JobDetail", job);
    check("JobEvents", job + "/events");
    for (int attempt = detail.at("/jobStatus/attemptId").intValue(); attempt >= 0; attempt--) {
      check("JobDetail", job + "/attempts/" + attempt);
      check("JobAttempt", job + "/job-attempts/" + attempt);
      String task = job + "/attempts/" + attempt + "/taskRoles/taskrole/taskIndex/0/attempts";
      check("TaskStatus", task);
      if (fixture.send(alice, "GET", task + "/0/logs", "").statusCode() == 200) {
        check("PodLogInfo", task + "/0/logs");
      }
    }
  }

  @Test
  void jobsInEveryState_haveTheShapesOfOpenPai() throws Exception {
    fixture.submit(alice, "alice", file("waiting", "").replace("cpu: 1", "cpu: 99"));
    checkAll("waiting", "WAITING");
    Job job = running("normal", "");
    checkAll("normal", "RUNNING");
    fixture.jobs.engine.finish(fixture.jobs.task(job, 0), 0);
    fixture.jobs.await(job, JobState.SUCCEEDED);
    checkAll("normal", "SUCCEEDED");
    for (int code : List.of(1, 127, 137, 255)) {
      Job failed = running("failed" + code, "");
      fixture.jobs.engine.write(
          fixture.jobs.task(failed, 0), true, "Traceback (most recent call last):\nKeyError: 1\n");
      fixture.jobs.engine.finish(fixture.jobs.task(failed, 0), code);
      fixture.jobs.await(failed, JobState.FAILED);
      checkAll("failed" + code, "FAILED");
    }
    Job stopped = running("stopped", "");
    fixture.send(alice, "PUT", "/jobs/alice~stopped/executionType", "{\"value\":\"STOP\"}");
    checkAll("stopped", "STOPPING");
    fixture.jobs.engine.finish(fixture.jobs.task(stopped, 0), 143);
    fixture.jobs.await(stopped, JobState.STOPPED);
    checkAll("stopped", "STOPPED");
    assertThat(differences).isEmpty();
  }

  @Test
  void retriedJob_hasTheShapesOfOpenPai() throws Exception {
    Job job = running("retried", "jobRetryCount: 1");
    fixture.jobs.engine.finish(fixture.jobs.task(job, 0), 1);
    TaskId second = new TaskId(job.id(), 2, "Task_Role", 0);
    JobFixture.eventually(() -> fixture.jobs.engine.started().contains(second), "the start");
    fixture.jobs.await(job, JobState.RUNNING);
    checkAll("retried", "RUNNING");
    fixture.jobs.engine.finish(second, 3);
    fixture.jobs.await(job, JobState.FAILED);
    checkAll("retried", "FAILED");
    assertThat(differences).isEmpty();
  }

  @Test
  void preparingJob_hasTheShapesOfOpenPai() throws Exception {
    fixture.jobs.engine.blockReservations();
    Job job =
        fixture.jobs.await(
            fixture.submit(alice, "alice", file("preparing", "")), JobState.PREPARING);
    checkAll("preparing", "WAITING");
    assertThat(fixture.get(alice, "/jobs/alice~preparing").at("/jobStatus/subState").textValue())
        .isEqualTo("AttemptPreparing");
    fixture.jobs.engine.resumeReservations();
    fixture.jobs.await(job, JobState.RUNNING);
    assertThat(differences).isEmpty();
  }

  @Test
  void pausedJob_hasTheShapesOfOpenPai() throws Exception {
    Job job = fixture.submit(alice, "alice", file("paused", "").replace("cpu: 1", "cpu: 99"));
    fixture.jobs.service().pause(fixture.tokens.callerOf(alice).orElseThrow(), job);
    fixture.jobs.await(job, JobState.PAUSED);
    checkAll("paused", "WAITING");
    assertThat(differences).isEmpty();
  }

  @Test
  void jobStoppedWhileWaiting_hasTheShapesOfOpenPai() throws Exception {
    Job job = fixture.submit(alice, "alice", file("unstarted", "").replace("cpu: 1", "cpu: 99"));
    fixture.send(alice, "PUT", "/jobs/alice~unstarted/executionType", "{\"value\":\"STOP\"}");
    fixture.jobs.await(job, JobState.STOPPED);
    checkAll("unstarted", "STOPPED");
    assertThat(differences).isEmpty();
  }

  @Test
  void taskRetriedOnItsOwn_hasTheShapesOfOpenPai() throws Exception {
    String text =
        file("single", "extras: {gangAllocation: false}")
            .replace("instances: 1", "instances: 1\n    taskRetryCount: 1");
    Job job = fixture.jobs.await(fixture.submit(alice, "alice", text), JobState.RUNNING);
    TaskId first = fixture.jobs.task(job, 0);
    fixture.jobs.engine.finish(first, 7);
    JobFixture.eventually(
        () -> fixture.jobs.engine.started().contains(first.nextRun()), "the second run");
    checkAll("single", "RUNNING");
    fixture.jobs.engine.finish(first.nextRun(), 0);
    fixture.jobs.await(job, JobState.SUCCEEDED);
    checkAll("single", "SUCCEEDED");
    assertThat(differences).isEmpty();
  }

  @Test
  void virtualClustersAndStorages_haveTheShapesOfOpenPai() throws Exception {
    fixture.teams.createVirtualCluster(
        Actor.SYSTEM, new VirtualCluster("lab", "", Quota.UNLIMITED.withCpus(4)));
    String root = fixture.signIn("root");
    String group =
        "{\"groupname\":\"team\",\"extension\":{\"acls\":{\"admin\":false,"
            + "\"virtualClusters\":[\"lab\"],\"storageConfigs\":[\"data\",\"results\"]}}}";
    fixture.send(root, "POST", "/groups", group);
    fixture.send(root, "PUT", "/users/alice/group", "{\"groupname\":\"team\"}");
    running("used", "");
    assertThat(fixture.get(alice, "/virtual-clusters").has("lab")).isTrue();
    check("VirtualClusters", "/virtual-clusters");
    for (String name : List.of("default", "lab")) {
      check("VirtualCluster", "/virtual-clusters/" + name);
    }
    assertThat(fixture.get(alice, "/storages").get("storages")).hasSize(2);
    check("StorageSummary", "/storages");
    assertThat(fixture.get(alice, "/storages?default=true").get("storages")).hasSize(1);
    check("StorageSummary", "/storages?default=true");
    for (String name : List.of("data", "results")) {
      check("StorageDetail", "/storages/" + name);
    }
    assertThat(differences).isEmpty();
  }

  @Test
  void accounts_haveTheShapesOfOpenPai() throws Exception {
    check("UserInfo", "/users/alice");
    check("Groups", "/groups");
    check("Tokens", "/tokens");
    assertThat(differences).isEmpty();
  }
}
