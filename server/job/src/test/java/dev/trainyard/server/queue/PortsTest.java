package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.JobState;
import dev.trainyard.model.PortRange;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.Task;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class PortsTest {
  private final JobFixture fixture;

  PortsTest(Db db) {
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String jobWithFixedPort(String name, int port) {
    return """
    {"jobName": "%s", "image": "x", "taskRoles": [{"name": "m", "command": "x",
     "portList": [{"label": "web", "beginAt": %d, "portNumber": 2}]}]}
    """
        .formatted(name, port);
  }

  private List<Integer> ports(Job job) {
    return fixture.service().details(fixture.job(job)).tasks().stream()
        .flatMap(task -> task.ports().all().stream())
        .toList();
  }

  @Test
  void ports_areUniqueAndReleased() {
    fixture.started();
    Set<Integer> all = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      Job job = fixture.submit(JobFileText.of("j" + i, "m", 2, 1, 0, ""));
      all.addAll(ports(fixture.await(job, JobState.RUNNING)));
    }
    assertThat(all).hasSize(20).allMatch(port -> port >= 20_000 && port <= 20_099);
    assertThat(fixture.assignedPortCount()).isEqualTo(20);
    JobFixture.eventually(
        () -> {
          fixture.finishRunning(0);
          return fixture.assignedPortCount() == 0;
        },
        "the ports to be free");
  }

  @Test
  void ports_taskEnded_areReleasedImmediately() {
    fixture.started();
    Job job =
        fixture.await(fixture.submit(JobFileText.of("j", "m", 2, 1, 0, "")), JobState.RUNNING);
    fixture.engine.finish(fixture.task(job, 0), 0);
    JobFixture.eventually(
        () -> fixture.assignedPortCount() == 2, "the first task's ports to be free");
    assertThat(fixture.job(job).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void ports_usedByOtherPrograms_areSkipped() {
    fixture.engine.occupy(20_000);
    fixture.engine.occupy(20_002);
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    assertThat(ports(job)).containsExactlyInAnyOrder(20_001, 20_003);
  }

  @Test
  void beginAt_conflict_waitsWithoutDelayingOthers() {
    fixture.started();
    Job first = fixture.await(fixture.submit(jobWithFixedPort("first", 20_080)), JobState.RUNNING);
    assertThat(fixture.service().details(first).tasks().getFirst().ports().list("web"))
        .isEqualTo("20080,20081");
    Job second = fixture.submit(jobWithFixedPort("second", 20_081));
    Job third = fixture.submit(jobWithFixedPort("third", 20_081));
    Job other = fixture.submit(JobFileText.named("other"));
    fixture.await(other, JobState.RUNNING);
    fixture.awaitWaitReason(
        second, "needs port 20081, which is in use on box; retrying in 15 seconds");
    fixture.engine.finish(fixture.task(first, 0), 0);
    fixture.await(second, JobState.RUNNING);
    assertThat(fixture.job(third).state()).isEqualTo(JobState.WAITING);
    assertThat(fixture.job(second).status().attempt()).isEqualTo(1);
  }

  @Test
  void beginAt_outsideRange_isRejected() {
    for (String ports :
        List.of(
            "{\"label\": \"web\", \"beginAt\": 81}",
            "{\"label\": \"web\", \"beginAt\": 20099, \"portNumber\": 2}")) {
      assertThatThrownBy(() -> fixture.submit(jobFileWithPorts(ports)))
          .hasMessageContaining("jobs may use ports 20000 to 20099");
    }
  }

  @Test
  void portNumber_aboveLimitPerJob_isRejected() {
    assertThatThrownBy(
            () -> fixture.submit(jobFileWithPorts("{\"label\": \"web\", \"portNumber\": 1001}")))
        .hasMessageContaining("one job may request 1000");
  }

  @Test
  void rules_additionalRange_isAllowed() {
    PortRange additionalRange = new PortRange(6_000, 6_009);
    PortRules rules =
        new PortRules(new PortRange(20_000, 20_099), Optional.of(additionalRange), 10);
    assertThat(rules.allows(6_009)).isTrue();
    assertThat(rules.allows(6_010)).isFalse();
    assertThat(rules.allows(20_000)).isTrue();
  }

  @Test
  void rules_portBetweenRanges_isRejected() {
    Job job =
        fixture.submit(
            jobFileWithPorts("{\"label\": \"web\", \"beginAt\": 20000, \"portNumber\": 5}"));
    PortRange additionalRange = new PortRange(20_004, 20_009);
    PortRules rules =
        new PortRules(new PortRange(20_000, 20_001), Optional.of(additionalRange), 10);
    assertThat(rules.rejection(fixture.service().config(job).spec())).isPresent();
  }

  @Test
  void portLimit_jobWithoutGang_furtherTasksWait() {
    fixture.settings =
        fixture.settings.withPorts(new PortRange(20_000, 20_099), Optional.empty(), 10);
    fixture.restart().started();
    Job job =
        fixture.submit(
            WithoutGangTest.jobFileWithFourTasks("sweep", false, "")
                .replace("cpu: 4", "cpu: 1, ports: {web: 4}"));
    fixture.awaitWaitReason(job, "needs 4 ports: running tasks of the job use 8 of the 10");
    JobFixture.eventually(() -> fixture.engine.started().size() == 2, "two tasks");
    assertThat(fixture.pipeline().placements().get(job.id()))
        .as("the others hold no resources")
        .hasSize(2);
    fixture.engine.finish(fixture.task(job, 0), 0);
    JobFixture.eventually(() -> fixture.engine.started().size() == 3, "the third task");
    JobFixture.eventually(
        () -> {
          fixture.finishRunning(0);
          return fixture.job(job).state() == JobState.SUCCEEDED;
        },
        "the end");
  }

  private static String jobFileWithPorts(String ports) {
    return """
    {"jobName": "ports", "image": "x",
     "taskRoles": [{"name": "main", "taskNumber": 1, "command": "x", "portList": [%s]}]}
    """
        .formatted(ports);
  }

  @Test
  void beginAt_takenByAnotherProgram() {
    fixture.engine.occupy(20_090);
    fixture.started();
    Job job = fixture.submit(jobWithFixedPort("a", 20_090));
    fixture.awaitWaitReason(job, "needs port 20090, which is in use on box");
    fixture.engine.vacate(20_090);
    fixture.advanceClock(Duration.ofSeconds(15));
    fixture.await(job, JobState.RUNNING);
  }

  @Test
  void beginAt_sameForTwoTasks() {
    fixture.started();
    Job job =
        fixture.submit(
            """
            {"jobName": "twins", "image": "x", "taskRoles": [{"name": "m", "taskNumber": 2,
             "command": "x", "portList": [{"label": "web", "beginAt": 20070}]}]}
            """);
    fixture.awaitWaitReason(job, "two tasks of this job need port 20070");
    assertThat(fixture.assignedPortCount()).isZero();
    fixture.await(fixture.submit(JobFileText.of("next", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void ports_moreThanAvailable() {
    fixture.started();
    Job job =
        fixture.submit(
            """
            {"jobName": "greedy", "image": "x", "taskRoles": [{"name": "m", "taskNumber": 4,
             "command": "x", "portList": [{"label": "web", "portNumber": 250}]}]}
            """);
    fixture.awaitWaitReason(job, "needs more ports than are free on box");
    fixture.await(fixture.submit(JobFileText.named("next")), JobState.RUNNING);
  }

  @Test
  void ports_ownedByUnknownTask() {
    fixture.started();
    Job other = fixture.await(fixture.submit(JobFileText.named("other")), JobState.RUNNING);
    fixture.write(
        "insert into port (node, port, job_id, attempt, role, task_index)"
            + " values ('box', 20002, '"
            + other.id()
            + "', 1, 'x', 0)");
    Job job = fixture.await(fixture.submit(JobFileText.named("job")), JobState.RUNNING);
    assertThat(ports(job)).doesNotContain(20_002).hasSize(2);
  }

  @Test
  void ports_areKnownAfterRestart() {
    fixture.started();
    Job first = fixture.await(fixture.submit(JobFileText.named("first")), JobState.RUNNING);
    fixture.pipeline().close();
    fixture.restart().started();
    Job second = fixture.await(fixture.submit(JobFileText.named("second")), JobState.RUNNING);
    assertThat(ports(second)).doesNotContainAnyElementsOf(ports(first));
    Task task = fixture.service().details(first).tasks().getFirst();
    assertThat(task.address()).isPresent();
  }
}
