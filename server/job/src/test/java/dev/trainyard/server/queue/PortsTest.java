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
  private final JobFixture world;

  PortsTest(Db db) {
    this.world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static String fixed(String name, int port) {
    return """
    {"jobName": "%s", "image": "x", "taskRoles": [{"name": "m", "command": "x",
     "portList": [{"label": "web", "beginAt": %d, "portNumber": 2}]}]}
    """
        .formatted(name, port);
  }

  private List<Integer> ports(Job job) {
    return world.service().details(world.job(job)).tasks().stream()
        .flatMap(task -> task.ports().all().stream())
        .toList();
  }

  @Test
  void ports_areUniqueAndReleased() {
    world.started();
    Set<Integer> all = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      Job job = world.submit(JobFileText.of("j" + i, "m", 2, 1, 0, ""));
      all.addAll(ports(world.await(job, JobState.RUNNING)));
    }
    assertThat(all).hasSize(20).allMatch(port -> port >= 20_000 && port <= 20_099);
    assertThat(world.portsTaken()).isEqualTo(20);
    JobFixture.eventually(
        () -> {
          world.finishRunning(0);
          return world.portsTaken() == 0;
        },
        "the ports to be free");
  }

  @Test
  void ports_ofEndedTasksAreReleasedImmediately() {
    world.started();
    Job job = world.await(world.submit(JobFileText.of("j", "m", 2, 1, 0, "")), JobState.RUNNING);
    world.engine.finish(world.task(job, 0), 0);
    JobFixture.eventually(() -> world.portsTaken() == 2, "the first task's ports to be free");
    assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void ports_foreignOnesAreSkipped() {
    world.engine.occupy(20_000);
    world.engine.occupy(20_002);
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    assertThat(ports(job)).containsExactlyInAnyOrder(20_001, 20_003);
  }

  @Test
  void beginAt_conflict_waitsWithoutDelayingOthers() {
    world.started();
    Job first = world.await(world.submit(fixed("first", 20_080)), JobState.RUNNING);
    assertThat(world.service().details(first).tasks().getFirst().ports().list("web"))
        .isEqualTo("20080,20081");
    Job second = world.submit(fixed("second", 20_081));
    Job third = world.submit(fixed("third", 20_081));
    Job other = world.submit(JobFileText.named("other"));
    world.await(other, JobState.RUNNING);
    world.awaitWhy(second, "needs port 20081 on box, which is in use; retrying in 15 seconds");
    world.engine.finish(world.task(first, 0), 0);
    world.await(second, JobState.RUNNING);
    assertThat(world.job(third).state()).isEqualTo(JobState.WAITING);
    assertThat(world.job(second).status().attempt()).isEqualTo(1);
  }

  @Test
  void beginAt_outsideRange_isRejected() {
    for (String ports :
        List.of(
            "{\"label\": \"web\", \"beginAt\": 81}",
            "{\"label\": \"web\", \"beginAt\": 20099, \"portNumber\": 2}")) {
      assertThatThrownBy(() -> world.submit(asking(ports)))
          .hasMessageContaining("jobs may use ports 20000 to 20099");
    }
  }

  @Test
  void portNumber_aboveLimitPerJob_isRejected() {
    assertThatThrownBy(() -> world.submit(asking("{\"label\": \"web\", \"portNumber\": 1001}")))
        .hasMessageContaining("one job may request 1000");
  }

  @Test
  void rules_administratorAllowsMore() {
    PortRange more = new PortRange(6_000, 6_009);
    PortRules rules = new PortRules(new PortRange(20_000, 20_099), Optional.of(more), 10);
    assertThat(rules.allows(6_009)).isTrue();
    assertThat(rules.allows(6_010)).isFalse();
    assertThat(rules.allows(20_000)).isTrue();
  }

  @Test
  void rules_portBetweenRanges_isRejected() {
    Job job = world.submit(asking("{\"label\": \"web\", \"beginAt\": 20000, \"portNumber\": 5}"));
    PortRange more = new PortRange(20_004, 20_009);
    PortRules rules = new PortRules(new PortRange(20_000, 20_001), Optional.of(more), 10);
    assertThat(rules.refusal(world.service().config(job).spec())).isPresent();
  }

  @Test
  void portLimit_jobWithoutGang_furtherTasksWait() {
    world.settings = world.settings.withPorts(new PortRange(20_000, 20_099), Optional.empty(), 10);
    world.liveAgain().started();
    Job job =
        world.submit(
            WithoutGangTest.four("sweep", false, "").replace("cpu: 4", "cpu: 1, ports: {web: 4}"));
    world.awaitWhy(job, "needs 4 ports: running tasks of the job use 8 of the 10");
    JobFixture.eventually(() -> world.engine.started().size() == 2, "two tasks");
    assertThat(world.pipeline().placements().get(job.id()))
        .as("the others hold no resources")
        .hasSize(2);
    world.engine.finish(world.task(job, 0), 0);
    JobFixture.eventually(() -> world.engine.started().size() == 3, "the third task");
    JobFixture.eventually(
        () -> {
          world.finishRunning(0);
          return world.job(job).state() == JobState.SUCCEEDED;
        },
        "the end");
  }

  private static String asking(String ports) {
    return """
    {"jobName": "ports", "image": "x",
     "taskRoles": [{"name": "main", "taskNumber": 1, "command": "x", "portList": [%s]}]}
    """
        .formatted(ports);
  }

  @Test
  void beginAt_takenByAnotherProgram() {
    world.engine.occupy(20_090);
    world.started();
    Job job = world.submit(fixed("a", 20_090));
    world.awaitWhy(job, "port 20090 on box");
    world.engine.vacate(20_090);
    world.pass(Duration.ofSeconds(15));
    world.await(job, JobState.RUNNING);
  }

  @Test
  void beginAt_sameForTwoTasks() {
    world.started();
    Job job =
        world.submit(
            """
            {"jobName": "twins", "image": "x", "taskRoles": [{"name": "m", "taskNumber": 2,
             "command": "x", "portList": [{"label": "web", "beginAt": 20070}]}]}
            """);
    world.awaitWhy(job, "two of its tasks need port 20070");
    assertThat(world.portsTaken()).isZero();
    world.await(world.submit(JobFileText.of("next", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void ports_moreThanAvailable() {
    world.started();
    Job job =
        world.submit(
            """
            {"jobName": "greedy", "image": "x", "taskRoles": [{"name": "m", "taskNumber": 4,
             "command": "x", "portList": [{"label": "web", "portNumber": 250}]}]}
            """);
    world.awaitWhy(job, "needs more ports than are free on box");
    world.await(world.submit(JobFileText.named("next")), JobState.RUNNING);
  }

  @Test
  void ports_ownedByUnknownTask() {
    world.started();
    Job other = world.await(world.submit(JobFileText.named("other")), JobState.RUNNING);
    world.write(
        "insert into port (node, port, job_id, attempt, role, task_index)"
            + " values ('box', 20002, '"
            + other.id()
            + "', 1, 'x', 0)");
    Job job = world.await(world.submit(JobFileText.named("job")), JobState.RUNNING);
    assertThat(ports(job)).doesNotContain(20_002).hasSize(2);
  }

  @Test
  void ports_areKnownAfterRestart() {
    world.started();
    Job first = world.await(world.submit(JobFileText.named("first")), JobState.RUNNING);
    world.pipeline().close();
    world.liveAgain().started();
    Job second = world.await(world.submit(JobFileText.named("second")), JobState.RUNNING);
    assertThat(ports(second)).doesNotContainAnyElementsOf(ports(first));
    Task task = world.service().details(first).tasks().getFirst();
    assertThat(task.address()).isPresent();
  }
}
