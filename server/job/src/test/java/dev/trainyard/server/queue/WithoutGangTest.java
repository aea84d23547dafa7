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
  private final JobFixture fixture;

  WithoutGangTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  static String jobFileWithFourTasks(String name, boolean gang, String extraFields) {
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
        .formatted(name, extraFields, gang);
  }

  private Job submitFourTasks() {
    return fixture.submit(jobFileWithFourTasks("parts", false, ""));
  }

  private List<Task> tasks(Job job) {
    return fixture.service().details(fixture.job(job)).tasks();
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
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    assertThat(fixture.waitReason(job))
        .startsWith("2 of 4 tasks have not started; the next one: needs");
    assertThat(fixture.assignedPortCount()).isEqualTo(4);
    Optional<Object> began = Optional.of(fixture.job(job).status().started().orElseThrow());
    fixture.clock.advance(Duration.ofSeconds(3));
    fixture.engine.finish(fixture.task(job, 1), 0);
    awaitRunning(job, 0, 2);
    fixture.engine.finish(fixture.task(job, 2), 0);
    awaitRunning(job, 0, 3);
    assertThat(fixture.service().reasons(List.of(fixture.job(job))).getFirst()).isEmpty();
    fixture.engine.finish(fixture.task(job, 0), 0);
    fixture.engine.finish(fixture.task(job, 3), 0);
    Job ended = fixture.await(job, JobState.SUCCEEDED);
    assertThat(Optional.of(ended.status().started().orElseThrow())).isEqualTo(began);
    assertThat(tasks(job)).hasSize(4).allMatch(task -> task.end().orElseThrow().succeeded());
    assertThat(fixture.assignedPortCount()).isZero();
    fixture.awaitEmptyEngine();
    fixture.await(fixture.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void start_gangOfSameSize_waits() {
    fixture.started();
    Job gang = fixture.submit(jobFileWithFourTasks("gang", true, ""));
    fixture.await(submitFourTasks(), JobState.RUNNING);
    assertThat(fixture.job(gang).state()).isEqualTo(JobState.WAITING);
    assertThat(fixture.service().details(gang).tasks()).isEmpty();
  }

  @Test
  void start_taskKnowsOnlyItself() {
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    var start = fixture.engine.start(fixture.task(job, 1));
    assertThat(start.hosts()).isEmpty();
    assertThat(start.environment())
        .containsKeys("PAI_HOST_IP_w_1", "PAI_CONTAINER_HOST_IP")
        .doesNotContainKeys("PAI_HOST_IP_w_0", "PAI_TASK_ROLE_w_HOST_LIST", "MASTER_ADDR");
  }

  @Test
  void order_remainingTasksKeepQueuePosition() {
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    Job next = fixture.submit(JobFileText.of("next", "m", 1, 4, 0, ""));
    fixture.awaitWaitReason(next, "needs 4 CPUs");
    fixture.engine.finish(fixture.task(job, 0), 0);
    awaitRunning(job, 1, 2);
    fixture.engine.finish(fixture.task(job, 1), 0);
    awaitRunning(job, 2, 3);
    assertThat(fixture.job(next).state()).isEqualTo(JobState.WAITING);
    fixture.engine.finish(fixture.task(job, 2), 0);
    fixture.await(next, JobState.RUNNING);
  }

  @Test
  void stop_unplacedTasksNeverStart() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    fixture.service().stop(JobFixture.ALICE, fixture.job(job), Optional.empty());
    fixture.await(job, JobState.STOPPED);
    assertThat(tasks(job)).hasSize(2);
    assertThat(fixture.assignedPortCount()).isZero();
    fixture.await(fixture.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void failure_stopsRemainingTasksAndIsRetried() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.submit(jobFileWithFourTasks("parts", false, "jobRetryCount: 1"));
    fixture.await(job, JobState.RUNNING);
    awaitRunning(job, 0, 1);
    fixture.engine.finish(fixture.task(job, 1), 7);
    fixture.awaitAttempt(job, 2);
    awaitRunning(job, 0, 1);
    fixture.engine.finish(fixture.task(job, 2, 0), 0);
    awaitRunning(job, 1, 2);
    fixture.engine.finish(fixture.task(job, 2, 2), 9);
    Job failed = fixture.await(job, JobState.FAILED);
    assertThat(failed.status().exitCode()).hasValue(9);
    assertThat(failed.status().attempt()).isEqualTo(2);
    assertThat(fixture.assignedPortCount()).isZero();
  }

  private Job submitWithTaskRetries(int retries) {
    return fixture.submit(
        jobFileWithFourTasks("parts", false, "")
            .replace("dockerImage: i", "dockerImage: i\n    taskRetryCount: " + retries));
  }

  private Job submitTwoTasks() {
    return fixture.submit(
        jobFileWithFourTasks("parts", false, "").replace("instances: 4", "instances: 2"));
  }

  private TaskId run(Job job, int index, int retry) {
    return new TaskId(job.id(), 1, "w", index, retry);
  }

  @Test
  void failure_onlyFailedTaskIsRetried() {
    fixture.started();
    Job job = fixture.await(submitWithTaskRetries(1), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    fixture.engine.finish(run(job, 1, 0), 7);
    JobFixture.eventually(() -> isRunning(run(job, 1, 1)), "the second run");
    assertThat(isRunning(run(job, 0, 0))).isTrue();
    assertThat(fixture.job(job).status().attempt()).isEqualTo(1);
    fixture.engine.finish(run(job, 1, 1), 0);
    awaitRunning(job, 0, 2);
    fixture.engine.finish(run(job, 0, 0), 0);
    awaitRunning(job, 2, 3);
    fixture.engine.finish(run(job, 2, 0), 0);
    fixture.engine.finish(run(job, 3, 0), 0);
    fixture.await(job, JobState.SUCCEEDED);
    assertThat(tasks(job))
        .hasSize(4)
        .allMatch(task -> task.end().orElseThrow().succeeded())
        .anyMatch(task -> task.id().equals(run(job, 1, 1)));
    assertThat(runs(job, "w", "1", "1")).containsExactly("1 0", "0 7");
    assertThat(runs(job, "w", "0", "1")).containsExactly("0 0");
    assertThat(fixture.assignedPortCount()).isZero();
    fixture.awaitEmptyEngine();
  }

  /** Returns every run of a task as in the API: its retry number and its exit code. */
  private List<String> runs(Job job, String role, String index, String attempt) {
    FakeRequest.Table routes = new FakeRequest.Table();
    new RunRoutes(db, fixture.service(), new AttemptStore()).addTo(routes);
    FakeRequest asked =
        FakeRequest.by(JobFixture.ALICE)
            .path("job", job.name())
            .path("role", role)
            .path("index", index)
            .query("attempt", attempt);
    Map<?, ?> response =
        (Map<?, ?>) routes.call("GET /api/v3/jobs/:job/tasks/:role/:index/runs", asked).body();
    return ((List<?>) response.get("runs"))
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
  void runs_unknownTask_notFound(String role, String index, String attempt) {
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    assertThatThrownBy(() -> runs(job, role, index, attempt))
        .isInstanceOfSatisfying(
            AppException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void failure_beyondLimit_jobFailsWithCodeOfLastRun() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(submitWithTaskRetries(1), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    fixture.engine.finish(run(job, 1, 0), 7);
    JobFixture.eventually(() -> isRunning(run(job, 1, 1)), "the second run");
    fixture.engine.finish(run(job, 1, 1), 9);
    Job failed = fixture.await(job, JobState.FAILED);
    assertThat(failed.status().exitCode()).hasValue(9);
    assertThat(failed.status().attempt()).isEqualTo(1);
    assertThat(fixture.assignedPortCount()).isZero();
    fixture.await(fixture.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  private boolean isRunning(TaskId run) {
    return fixture.engine.list().stream()
        .anyMatch(seen -> seen.id().equals(run) && seen.phase() == TaskObservation.Phase.RUNNING);
  }

  private boolean isKnown(TaskId run) {
    return fixture.engine.list().stream().anyMatch(seen -> seen.id().equals(run));
  }

  private void lose(TaskId run) {
    fixture.engine.end(
        run, new TaskEnd(137, ExitReason.SUPERVISOR_LOST, "", fixture.clock.instant()));
  }

  @Test
  void platformFault_affectsOnlyTaskAndIsLimited() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(submitTwoTasks(), JobState.RUNNING);
    for (int retry = 0; retry < 10; retry++) {
      TaskId run = run(job, 1, retry);
      JobFixture.eventually(() -> isRunning(run), "run " + run);
      assertThat(fixture.job(job).state()).isEqualTo(JobState.RUNNING);
      lose(run);
      JobFixture.eventually(() -> !isKnown(run), "the end of run " + run);
      if (retry >= 2) { // the first two retries have no backoff
        fixture.advanceClock(Duration.ofMinutes(10));
      }
    }
    Job failed = fixture.await(job, JobState.FAILED);
    assertThat(failed.status().attempt()).isEqualTo(1);
    assertThat(failed.status().reason().orElseThrow().english())
        .startsWith("failed permanently after");
  }

  /**
   * If the job tolerates a failed task, a task that can't be started counts as just one failure.
   */
  @Test
  void startRefused_countsAsOneFailure() {
    fixture.engine.failReservationsAfter(1, new EngineException("not here"));
    fixture.started();
    Job job =
        fixture.submit(
            jobFileWithFourTasks("parts", false, "")
                .replace("instances: 4", "instances: 2")
                .replace(
                    "dockerImage: i", "dockerImage: i\n    completion: {minFailedInstances: 2}"));
    fixture.await(job, JobState.RUNNING);
    JobFixture.eventually(() -> runningTasks(job) == 1, "one task to run");
    JobFixture.eventually(
        () -> tasks(job).stream().anyMatch(task -> task.end().isPresent()), "the other to end");
    assertThat(fixture.job(job).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void startFailure_affectsOnlyTask() {
    fixture.engine.failReservationsAfter(1, EngineException.transientFailure("no room"));
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    JobFixture.eventually(() -> runningTasks(job) == 1, "one task to run");
    fixture.engine.acceptReservations();
    JobFixture.eventually(
        () -> {
          fixture.advanceClock(Duration.ofSeconds(10));
          return runningTasks(job) == 2;
        },
        "the other task to run");
    assertThat(fixture.job(job).status().attempt()).isEqualTo(1);
  }

  private long runningTasks(Job job) {
    return tasks(job).stream().filter(task -> task.state() == TaskState.RUNNING).count();
  }

  @Test
  void restart_pendingRetryIsKept() {
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    // Three consecutive faults: the next run has a backoff of ten seconds.
    for (int retry = 0; retry < 3; retry++) {
      TaskId run = run(job, 0, retry);
      JobFixture.eventually(() -> isRunning(run), "run " + run);
      lose(run);
    }
    awaitRunning(job, 1, 2);
    JobFixture.eventually(() -> !isKnown(run(job, 0, 2)), "the third run to be removed");
    fixture.pipeline().close();
    fixture.restart().started();
    fixture.advanceClock(Duration.ofSeconds(9));
    fixture.engine.finish(run(job, 1, 0), 0);
    awaitRunning(job, 2, 3);
    assertThat(isKnown(run(job, 0, 3))).isFalse();
    fixture.advanceClock(Duration.ofSeconds(2));
    fixture.engine.finish(run(job, 2, 0), 0);
    JobFixture.eventually(() -> isRunning(run(job, 0, 3)), "the fourth run");
    fixture.finishRunning(0);
    fixture.await(job, JobState.SUCCEEDED);
    assertThat(tasks(job)).hasSize(4);
  }

  @Test
  void stop_whileTaskWaitsForRetry() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    for (int retry = 0; retry < 3; retry++) {
      TaskId run = run(job, 0, retry);
      JobFixture.eventually(() -> isRunning(run), "run " + run);
      lose(run);
    }
    awaitRunning(job, 1, 2);
    fixture.service().stop(JobFixture.ALICE, fixture.job(job), Optional.empty());
    fixture.await(job, JobState.STOPPED);
    fixture.awaitEmptyEngine();
    assertThat(fixture.assignedPortCount()).isZero();
    fixture.await(fixture.submit(JobFileText.of("all", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void restart_remainingTasksContinue() {
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    fixture.engine.finish(fixture.task(job, 0), 0);
    awaitRunning(job, 1, 2);
    fixture.pipeline().close();
    fixture.engine.finish(fixture.task(job, 1), 0);
    fixture.restart().started();
    awaitRunning(job, 2, 3);
    fixture.finishRunning(0);
    fixture.await(job, JobState.SUCCEEDED);
    assertThat(tasks(job)).hasSize(4);
    assertThat(fixture.assignedPortCount()).isZero();
  }

  @Test
  void restart_placedButNotStarted() {
    fixture.started();
    Job job = fixture.await(submitFourTasks(), JobState.RUNNING);
    awaitRunning(job, 0, 1);
    fixture.pipeline().close();
    // Simulates a crash between the placement and the start of the second task.
    fixture.engine.remove(fixture.task(job, 1));
    fixture.write("update task set state = 'ASSIGNED', started = null where task_index = 1");
    fixture.restart().started();
    awaitRunning(job, 0, 1);
    assertThat(fixture.engine.start(fixture.task(job, 1))).isNotNull();
  }
}
