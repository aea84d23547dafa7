package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.Task;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests jobs whose stored spec cannot be read, or is hard to read. */
@EveryDatabase
class UnreadableJobsTest {
  private final Db db;
  private final JobFixture fixture;

  UnreadableJobsTest(Db db) {
    this.db = db;
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void damage(Job job) {
    db.write(
        handle ->
            handle.execute(
                "update job_config set spec = '{damaged' where job_id = ?", job.id().value()));
  }

  private void assertFailedAndDeletable(Job job) {
    Job failed = fixture.await(job, JobState.FAILED);
    assertThat(failed.status().reason().orElseThrow().code()).isEqualTo("end.unreadable-spec");
    assertThatThrownBy(() -> fixture.service().details(failed))
        .isInstanceOfSatisfying(
            AppException.class, error -> assertThat(error.code()).isEqualTo(ErrorCode.CONFLICT));
    fixture.service().delete(JobFixture.ALICE, failed);
    assertThat(fixture.service().refresh(job.id())).isEmpty();
  }

  @Test
  void start_waitingJobUnreadable_failsAndOthersRun() {
    Job bad = fixture.submit(JobFileText.named("bad"));
    Job good = fixture.submit(JobFileText.named("good"));
    damage(bad);
    fixture.restart().started();
    fixture.await(good, JobState.RUNNING);
    assertFailedAndDeletable(bad);
  }

  @Test
  void start_runningJobUnreadable_failsAndItsTasksAreRemoved() {
    fixture.started();
    Job bad = fixture.await(fixture.submit(JobFileText.named("bad")), JobState.RUNNING);
    TaskId task = fixture.task(bad, 0);
    damage(bad);
    fixture.pipeline().close();
    fixture.restart().started();
    JobFixture.eventually(
        () -> fixture.engine.list().stream().noneMatch(seen -> seen.id().equals(task)),
        "the removal of the task");
    Task stored = db.read(handle -> fixture.attempts.find(handle, task)).orElseThrow();
    assertThat(stored.end()).isPresent();
    assertFailedAndDeletable(bad);
  }

  @Test
  void resume_unreadableJob_failsLater() {
    Job bad = fixture.submit(JobFileText.named("bad"));
    fixture.started();
    fixture.await(bad, JobState.RUNNING);
    fixture.engine.endStoppedTasks();
    fixture.service().pause(JobFixture.ALICE, fixture.job(bad));
    Job paused = fixture.await(bad, JobState.PAUSED);
    damage(bad);
    assertThatThrownBy(() -> fixture.service().resume(JobFixture.ALICE, paused))
        .isInstanceOf(AppException.class);
    JobFixture.eventually(
        () -> {
          fixture.advanceClock(Duration.ofSeconds(5));
          return fixture.job(bad).state() == JobState.FAILED;
        },
        "the job to fail");
    assertFailedAndDeletable(bad);
  }

  @Test
  void start_parametersWithCollidingNames_runs() {
    String parameters =
        IntStream.range(0, 1 << 10)
            .mapToObj(UnreadableJobsTest::collidingName)
            .map(name -> "  " + name + ": 1\n")
            .collect(Collectors.joining());
    Job job = fixture.submit(withParameters("colliding", parameters));
    fixture.restart().started();
    fixture.await(job, JobState.RUNNING);
    assertThat(fixture.service().config(job).spec().parameters()).hasSize(1 << 10);
  }

  /** Returns one of 1024 names with the same hash code in Jackson's table of names. */
  private static String collidingName(int number) {
    return IntStream.range(0, 10)
        .mapToObj(bit -> (number >> bit & 1) == 0 ? "bA" : "ab")
        .collect(Collectors.joining());
  }

  private static String withParameters(String name, String parameters) {
    return """
    protocolVersion: 2
    name: %s
    type: job
    prerequisites:
    - {type: dockerimage, name: i, uri: "ubuntu:16.04"}
    parameters:
    %staskRoles:
      main:
        instances: 1
        dockerImage: i
        resourcePerInstance: {cpu: 1, memoryMB: 512, gpu: 0}
        commands: [echo hello]
    """
        .formatted(name, parameters);
  }
}
