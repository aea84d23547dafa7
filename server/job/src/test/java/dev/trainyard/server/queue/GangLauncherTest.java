package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.Capability;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that several tasks start together or not at all, and know each other's addresses. */
@EveryDatabase
class GangLauncherTest {
  private final JobFixture fixture;

  GangLauncherTest(Db db) {
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static final String TWO_ROLES =
      """
      {"jobName": "gang", "image": "x", "jobEnvs": {"PAI_CONTAINER_SSH_PORT": "mine"},
       "taskRoles": [
        {"name": "ps", "taskNumber": 1, "command": "x",
         "portList": [{"label": "grpc", "portNumber": 2}]},
        {"name": "My_Worker", "taskNumber": 3, "command": "x"}]}
      """;

  @Test
  void start_everyTaskKnowsAllOthers() {
    fixture.started();
    Job job = fixture.await(fixture.submit(TWO_ROLES), JobState.RUNNING);
    List<Task> tasks = fixture.service().details(job).tasks();
    assertThat(tasks).hasSize(4).allMatch(task -> task.address().isPresent());
    Task ps = tasks.getFirst();
    Task second = tasks.get(2);
    String psAddress = ps.address().orElseThrow();
    var start = fixture.engine.start(new TaskId(job.id(), 1, "My_Worker", 1));
    assertThat(start.hosts())
        .contains(entry("ps-0", psAddress))
        .contains(entry("my-worker-1", second.address().orElseThrow()))
        .doesNotContainKey("My_Worker-1")
        .hasSize(4);
    assertThat(ps.ports().byLabel().keySet()).containsExactly("grpc", "ssh", "http", "master");
    assertThat(ps.ports().all()).hasSize(5).doesNotHaveDuplicates();
    assertThat(fixture.engine.spec(ps.id()).ports()).isEqualTo(ps.ports().all());
    assertThat(start.environment())
        .containsEntry("PAI_HOST_IP_ps_0", psAddress)
        .containsEntry("PAI_PORT_LIST_ps_0_grpc", ps.ports().list("grpc"))
        .containsEntry("PAI_ps_0_grpc_PORT", ps.ports().list("grpc"))
        .containsEntry("PAI_CURRENT_CONTAINER_IP", second.address().orElseThrow())
        .containsEntry("PAI_CURRENT_CONTAINER_PORT", second.ports().list("http"))
        .containsEntry("PAI_CONTAINER_HOST_IP", second.address().orElseThrow())
        .containsEntry(
            "PAI_CONTAINER_HOST_PORT_LIST",
            "ssh:" + second.ports().list("ssh") + ";http:" + second.ports().list("http") + ";")
        .containsEntry("PAI_TASK_ROLE_ps_HOST_LIST", psAddress + ":" + ps.ports().list("http"))
        .containsEntry("PAI_TASK_ROLE_INSTANCES", "ps:0,myworker:0,myworker:1,myworker:2")
        .containsKeys("PAI_HOST_IP_My_Worker_2", "PAI_HOST_IP_myworker_2")
        .doesNotContainKey("PAI_CONTAINER_SSH_PORT");
    assertThat(start.environment().get("PAI_TASK_ROLE_My_Worker_HOST_LIST").split(",")).hasSize(3);
    assertThat(start.files()).containsOnlyKeys("runtime.d/hostfile");
  }

  @Test
  void reserve_oneFails_nothingRan() {
    for (int k = 0; k < 4; k++) {
      fixture.engine.failReservationsAfter(k, new EngineException("no room"));
      if (k == 0) {
        fixture.started();
      }
      Job job = fixture.submit(TWO_ROLES.replace("\"gang\"", "\"gang" + k + "\""));
      Job ended = fixture.await(job, JobState.FAILED);
      assertThat(fixture.engine.started()).isEmpty();
      fixture.awaitEmptyEngine();
      assertThat(fixture.assignedPortCount()).isZero();
      assertThat(ended.status().reason().orElseThrow().english()).contains("no room");
      assertThat(fixture.service().details(ended).tasks())
          .filteredOn(task -> task.end().orElseThrow().reason() == ExitReason.START_REFUSED)
          .hasSize(1);
    }
    fixture.engine.acceptReservations();
    fixture.await(fixture.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void reserve_failsAlthoughFailuresAreIgnored() {
    fixture.engine.failReservationsAfter(1, new EngineException("no room"));
    fixture.started();
    Job job =
        fixture.submit(
            """
            {"jobName": "any", "image": "x", "taskRoles": [
             {"name": "w", "taskNumber": 2, "minFailedTaskCount": null, "command": "x"}]}
            """);
    fixture.await(job, JobState.FAILED);
  }

  @Test
  void start_oneFails_theOthersAreStopped() {
    fixture.engine.failStartsAfter(2, new EngineException("no"));
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job ended = fixture.await(fixture.submit(TWO_ROLES), JobState.FAILED);
    assertThat(ended.status().reason().orElseThrow().english()).contains("failed to start");
    assertThat(fixture.engine.stopped()).containsAll(fixture.engine.started());
    fixture.awaitEmptyEngine();
    assertThat(fixture.assignedPortCount()).isZero();
  }

  @Test
  void stop_whileAReservationHangs() {
    fixture.engine.blockReservations();
    fixture.started();
    Job job = fixture.submit(TWO_ROLES);
    JobFixture.eventually(
        () -> fixture.engine.blockedReservationCount() == 4, "the reservations to hang");
    Job next = fixture.submit(JobFileText.of("next", "m", 1, 8, 0, ""));
    fixture.service().stop(JobFixture.ALICE, job);
    Job stopped = fixture.await(job, JobState.STOPPED);
    assertThat(stopped.status().stoppedBy()).contains("alice");
    assertThat(fixture.assignedPortCount()).isZero();
    assertThat(fixture.job(next).state()).as("resources still held").isEqualTo(JobState.WAITING);
    fixture.engine.resumeReservations();
    fixture.await(next, JobState.RUNNING);
    assertThat(fixture.engine.started()).containsExactly(fixture.task(next, 0));
    JobFixture.eventually(
        () -> fixture.engine.list().size() == 1, "the reservations to be released");
  }

  @Test
  void manyTasks_peersAreInFile() {
    String labels = "{\"label\": \"%s\"}".formatted("x".repeat(64));
    fixture.started();
    Job job =
        fixture.submit(
            """
            {"jobName": "many", "image": "x", "taskRoles": [
             {"name": "%s", "taskNumber": 8, "portList": [%s], "command": "x"}]}
            """
                .formatted("w".repeat(128), labels));
    fixture.await(job, JobState.RUNNING);
    assertThat(fixture.service().details(job).notices()).isEmpty();
    Map<String, String> variables = fixture.engine.start(fixture.task(job, 7)).environment();
    assertThat(variables).containsKey("PAI_HOST_IP_" + "w".repeat(128) + "_7");
  }

  @Test
  void grace_ofJobAndOfStopRequest() {
    fixture.started();
    String extras = "\"extras\": {\"trainyard\": {\"stopGraceSeconds\": 90}},";
    Job job =
        fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 1, 0, extras)), JobState.RUNNING);
    fixture.service().stop(JobFixture.ALICE, job);
    JobFixture.eventually(() -> fixture.engine.gracePeriods().size() == 1, "the first stop");
    stopWith(job, 20, 2);
    stopWith(job, 5, 3);
    stopWith(job, 60, 4);
    assertThat(fixture.engine.gracePeriods().stream().map(Duration::toSeconds))
        .containsExactly(90L, 20L, 5L, 5L);
    fixture.engine.finish(fixture.task(job, 0), 143);
    fixture.await(job, JobState.STOPPED);
  }

  private void stopWith(Job job, int seconds, int expectedStops) {
    fixture
        .service()
        .stop(JobFixture.ALICE, job, java.util.Optional.of(Duration.ofSeconds(seconds)));
    JobFixture.eventually(
        () -> fixture.engine.gracePeriods().size() == expectedStops, "the next stop");
  }

  @Test
  void capabilities_onlyWhileGranted() {
    String extras = "\"extras\": {\"trainyard\": {\"capabilities\": [\"SYS_PTRACE\"]}},";
    Job rejected = fixture.submit(JobFileText.of("a", "m", 1, 1, 0, extras));
    fixture.started();
    Job failed = fixture.await(rejected, JobState.FAILED);
    assertThat(failed.status().reason().orElseThrow().english())
        .contains("the owner no longer has the capabilities SYS_PTRACE");

    fixture.capabilities.add(Capability.SYS_PTRACE);
    Job job =
        fixture.await(fixture.submit(JobFileText.of("b", "m", 1, 1, 0, extras)), JobState.RUNNING);
    assertThat(fixture.engine.spec(fixture.task(job, 0)).rights().capabilities())
        .containsExactly(Capability.SYS_PTRACE);
    Job plain =
        fixture.await(fixture.submit(JobFileText.of("c", "m", 1, 1, 0, "")), JobState.RUNNING);
    assertThat(fixture.engine.spec(fixture.task(plain, 0)).rights().capabilities()).isEmpty();
  }
}
