package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.http.FakeRequest;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.RunRoutes;
import dev.trainyard.server.job.Task;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests jobs whose tasks start one by one as resources become available: four tasks, of which two
 * fit.
 */
@EveryDatabase
class WithoutGangTest {
  private final Db db;
  private final JobFixture world;

  WithoutGangTest(Db db) {
    this.db = db;
    this.world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  static String four(String name, boolean gang, String more) {
    return """
    protocolVersion: 2
    name: %s
    type: job
    %s
    prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
    taskRoles:
      w:
        instances: 4
        dockerImage: i
        resourcePerInstance: {cpu: 4, memoryMB: 512, gpu: 0}
        commands: ['true']
    extras: {gangAllocation: %s}
    """
        .formatted(name, more, gang);
  }

  private Job submitted() {
    return world.submit(four("parts", false, ""));
  }

  private List<Task> tasks(Job job) {
    return world.service().details(world.job(job)).tasks();
  }

  private void awaitRunning(Job job, int... indices) {
    JobFixture.eventually(
        () ->
            tasks(job).stream()
                .filter(task -> task.state() == TaskState.RUNNING)
                .map(task -> task.id().index())
                .toList()
                .equals(Arrays.stream(indices).boxed().toList()),
        "exactly these tasks to run");
  }

  @Test
  void start_allTasksRunEventually() {
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    assertThat(world.why(job)).startsWith("2 of 4 tasks have not started; the next one: needs");
    assertThat(world.portsTaken()).isEqualTo(4);
    Optional<Object> began = Optional.of(world.job(job).status().started().orElseThrow());
    world.clock.advance(Duration.ofSeconds(3));
    world.engine.finish(world.task(job, 1), 0);
    awaitRunning(job, 0, 2);
    world.engine.finish(world.task(job, 2), 0);
    awaitRunning(job, 0, 3);
    assertThat(world.service().reasons(List.of(world.job(job))).getFirst()).isEmpty();
    world.engine.finish(world.task(job, 0), 0);
    world.engine.finish(world.task(job, 3), 0);
    Job ended = world.await(job, JobState.SUCCEEDED);
    assertThat(Optional.of(ended.status().started().orElseThrow())).isEqualTo(began);
    assertThat(tasks(job)).hasSize(4).allMatch(task -> task.end().orElseThrow().succeeded());
    assertThat(world.portsTaken()).isZero();
    world.awaitEmptyEngine();
    world.await(world.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void start_gangOfSameSize_waits() {
    world.started();
    Job gang = world.submit(four("gang", true, ""));
    world.await(submitted(), JobState.RUNNING);
    assertThat(world.job(gang).state()).isEqualTo(JobState.WAITING);
    assertThat(world.service().details(gang).tasks()).isEmpty();
  }

  @Test
  void start_taskKnowsOnlyItself() {
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    var start = world.engine.start(world.task(job, 1));
    assertThat(start.hosts()).isEmpty();
    assertThat(start.environment())
        .containsKeys("PAI_HOST_IP_w_1", "PAI_CONTAINER_HOST_IP")
        .doesNotContainKeys("PAI_HOST_IP_w_0", "PAI_TASK_ROLE_w_HOST_LIST", "MASTER_ADDR");
  }

  @Test
  void order_remainingTasksKeepQueuePosition() {
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    Job next = world.submit(JobFileText.of("next", "m", 1, 4, 0, ""));
    world.awaitWhy(next, "needs 4 CPUs");
    world.engine.finish(world.task(job, 0), 0);
    awaitRunning(job, 1, 2);
    world.engine.finish(world.task(job, 1), 0);
    awaitRunning(job, 2, 3);
    assertThat(world.job(next).state()).isEqualTo(JobState.WAITING);
    world.engine.finish(world.task(job, 2), 0);
    world.await(next, JobState.RUNNING);
  }

  @Test
  void stop_unplacedTasksNeverStart() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    world.service().stop(JobFixture.ALICE, world.job(job), Optional.empty());
    world.await(job, JobState.STOPPED);
    assertThat(tasks(job)).hasSize(2);
    assertThat(world.portsTaken()).isZero();
    world.await(world.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void failure_stopsRemainingTasksAndIsRetried() {
    world.engine.obeyStops();
    world.started();
    Job job = world.submit(four("parts", false, "jobRetryCount: 1"));
    world.await(job, JobState.RUNNING);
    awaitRunning(job, 0, 1);
    world.engine.finish(world.task(job, 1), 7);
    world.awaitAttempt(job, 2);
    awaitRunning(job, 0, 1);
    world.engine.finish(world.task(job, 2, 0), 0);
    awaitRunning(job, 1, 2);
    world.engine.finish(world.task(job, 2, 2), 9);
    Job failed = world.await(job, JobState.FAILED);
    assertThat(failed.status().exitCode()).hasValue(9);
    assertThat(failed.status().attempt()).isEqualTo(2);
    assertThat(world.portsTaken()).isZero();
  }

  private Job retried(int retries) {
    return world.submit(
        four("parts", false, "")
            .replace("dockerImage: i", "dockerImage: i\n    taskRetryCount: " + retries));
  }

  private Job two() {
    return world.submit(four("parts", false, "").replace("instances: 4", "instances: 2"));
  }

  private TaskId run(Job job, int index, int retry) {
    return new TaskId(job.id(), 1, "w", index, retry);
  }

  @Test
  void failure_onlyFailedTaskIsRetried() {
    world.started();
    Job job = world.await(retried(1), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    world.engine.finish(run(job, 1, 0), 7);
    JobFixture.eventually(() -> isRunning(run(job, 1, 1)), "the second run");
    assertThat(isRunning(run(job, 0, 0))).isTrue();
    assertThat(world.job(job).status().attempt()).isEqualTo(1);
    world.engine.finish(run(job, 1, 1), 0);
    awaitRunning(job, 0, 2);
    world.engine.finish(run(job, 0, 0), 0);
    awaitRunning(job, 2, 3);
    world.engine.finish(run(job, 2, 0), 0);
    world.engine.finish(run(job, 3, 0), 0);
    world.await(job, JobState.SUCCEEDED);
    assertThat(tasks(job))
        .hasSize(4)
        .allMatch(task -> task.end().orElseThrow().succeeded())
        .anyMatch(task -> task.id().equals(run(job, 1, 1)));
    assertThat(runs(job, "w", "1", "1")).containsExactly("1 0", "0 7");
    assertThat(runs(job, "w", "0", "1")).containsExactly("0 0");
    assertThat(world.portsTaken()).isZero();
    world.awaitEmptyEngine();
  }

  /** Returns every run of a task as in the API: its retry number and its exit code. */
  private List<String> runs(Job job, String role, String index, String attempt) {
    FakeRequest.Table routes = new FakeRequest.Table();
    new RunRoutes(db, world.service(), new AttemptStore()).addTo(routes);
    FakeRequest asked =
        FakeRequest.by(JobFixture.ALICE)
            .path("job", job.name())
            .path("role", role)
            .path("index", index)
            .query("attempt", attempt);
    Map<?, ?> answer =
        (Map<?, ?>) routes.call("GET /api/v3/jobs/:job/tasks/:role/:index/runs", asked).body();
    return ((List<?>) answer.get("runs"))
        .stream()
            .map(run -> ((Map<?, ?>) run).get("retry") + " " + ((Map<?, ?>) run).get("exitCode"))
            .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "w, 9, 1",
    "w, -1, 1",
    "w, 4294967295, 1",
    "w, x, 1",
    "a b, 0, 1",
    "v, 0, 1",
    "w, 0, 2",
    "w, 0, 4294967295",
    "w, 0, -1"
  })
  void runs_unknownTask(String role, String index, String attempt) {
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    assertThatThrownBy(() -> runs(job, role, index, attempt))
        .isInstanceOfSatisfying(
            AppException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void failure_beyondLimit_jobFailsWithCodeOfLastRun() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(retried(1), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    world.engine.finish(run(job, 1, 0), 7);
    JobFixture.eventually(() -> isRunning(run(job, 1, 1)), "the second run");
    world.engine.finish(run(job, 1, 1), 9);
    Job failed = world.await(job, JobState.FAILED);
    assertThat(failed.status().exitCode()).hasValue(9);
    assertThat(failed.status().attempt()).isEqualTo(1);
    assertThat(world.portsTaken()).isZero();
    world.await(world.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  private boolean isRunning(TaskId run) {
    return world.engine.list().stream()
        .anyMatch(seen -> seen.id().equals(run) && seen.phase() == TaskObservation.Phase.RUNNING);
  }

  private boolean isKnown(TaskId run) {
    return world.engine.list().stream().anyMatch(seen -> seen.id().equals(run));
  }

  private void lose(TaskId run) {
    world.engine.end(run, new TaskEnd(137, ExitReason.SUPERVISOR_LOST, "", world.clock.instant()));
  }

  @Test
  void platformFault_affectsOnlyTaskAndIsLimited() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(two(), JobState.RUNNING);
    for (int retry = 0; retry < 10; retry++) {
      TaskId run = run(job, 1, retry);
      JobFixture.eventually(() -> isRunning(run), "run " + run);
      assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
      lose(run);
      JobFixture.eventually(() -> !isKnown(run), "the end of run " + run);
      if (retry >= 2) { // the first two retries have no backoff
        world.pass(Duration.ofMinutes(10));
      }
    }
    Job failed = world.await(job, JobState.FAILED);
    assertThat(failed.status().attempt()).isEqualTo(1);
    assertThat(failed.status().reason().orElseThrow().english())
        .startsWith("failed permanently after");
  }

  /**
   * If the job tolerates a failed task, a task that can't be started counts as just one failure.
   */
  @Test
  void startRefused_countsAsOneFailure() {
    world.engine.failReservationsAfter(1, new EngineException("not here"));
    world.started();
    Job job =
        world.submit(
            four("parts", false, "")
                .replace("instances: 4", "instances: 2")
                .replace(
                    "dockerImage: i", "dockerImage: i\n    completion: {minFailedInstances: 2}"));
    world.await(job, JobState.RUNNING);
    JobFixture.eventually(() -> runningTasks(job) == 1, "one task to run");
    JobFixture.eventually(
        () -> tasks(job).stream().anyMatch(task -> task.end().isPresent()), "the other to end");
    assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void startFailure_affectsOnlyTask() {
    world.engine.failReservationsAfter(1, EngineException.passing("no room"));
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    JobFixture.eventually(() -> runningTasks(job) == 1, "one task to run");
    world.engine.acceptReservations();
    JobFixture.eventually(
        () -> {
          world.pass(Duration.ofSeconds(10));
          return runningTasks(job) == 2;
        },
        "the other task to run");
    assertThat(world.job(job).status().attempt()).isEqualTo(1);
  }

  private long runningTasks(Job job) {
    return tasks(job).stream().filter(task -> task.state() == TaskState.RUNNING).count();
  }

  @Test
  void restart_pendingRetryIsKept() {
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    // Three consecutive faults: the next run has a backoff of ten seconds.
    for (int retry = 0; retry < 3; retry++) {
      TaskId run = run(job, 0, retry);
      JobFixture.eventually(() -> isRunning(run), "run " + run);
      lose(run);
    }
    awaitRunning(job, 1, 2);
    JobFixture.eventually(() -> !isKnown(run(job, 0, 2)), "the third run to be removed");
    world.pipeline().close();
    world.liveAgain().started();
    world.pass(Duration.ofSeconds(9));
    world.engine.finish(run(job, 1, 0), 0);
    awaitRunning(job, 2, 3);
    assertThat(isKnown(run(job, 0, 3))).isFalse();
    world.pass(Duration.ofSeconds(2));
    world.engine.finish(run(job, 2, 0), 0);
    JobFixture.eventually(() -> isRunning(run(job, 0, 3)), "the fourth run");
    world.finishRunning(0);
    world.await(job, JobState.SUCCEEDED);
    assertThat(tasks(job)).hasSize(4);
  }

  @Test
  void stop_whileTaskWaitsForRetry() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    for (int retry = 0; retry < 3; retry++) {
      TaskId run = run(job, 0, retry);
      JobFixture.eventually(() -> isRunning(run), "run " + run);
      lose(run);
    }
    awaitRunning(job, 1, 2);
    world.service().stop(JobFixture.ALICE, world.job(job), Optional.empty());
    world.await(job, JobState.STOPPED);
    world.awaitEmptyEngine();
    assertThat(world.portsTaken()).isZero();
    world.await(world.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void restart_remainingTasksContinue() {
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    world.engine.finish(world.task(job, 0), 0);
    awaitRunning(job, 1, 2);
    world.pipeline().close();
    world.engine.finish(world.task(job, 1), 0);
    world.liveAgain().started();
    awaitRunning(job, 2, 3);
    world.finishRunning(0);
    world.await(job, JobState.SUCCEEDED);
    assertThat(tasks(job)).hasSize(4);
    assertThat(world.portsTaken()).isZero();
  }

  @Test
  void restart_placedButNotStarted() {
    world.started();
    Job job = world.await(submitted(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    world.pipeline().close();
    // Simulates a crash between the placement and the start of the second task.
    world.engine.remove(world.task(job, 1));
    world.write("update task set state = 'ASSIGNED', started = null where task_index = 1");
    world.liveAgain().started();
    awaitRunning(job, 0, 1);
    assertThat(world.engine.start(world.task(job, 1))).isNotNull();
  }
}
