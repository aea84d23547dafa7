package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.JobService;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@EveryDatabase
class QueuePipelineTest {
  private final JobFixture fixture;

  QueuePipelineTest(Db db) {
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String reason(Job job) {
    return job.status().reason().orElseThrow().english();
  }

  @Test
  void submitted_runsToEnd() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("hello")), JobState.RUNNING);
    assertThat(job.status().started()).contains(fixture.clock.instant());
    assertThat(fixture.service().details(job).tasks().getFirst().state())
        .isEqualTo(TaskState.RUNNING);
    assertThat(fixture.pipeline().placements()).containsKey(job.id());
    fixture.engine.finish(fixture.task(job, 0), 0);
    Job ended = fixture.await(job, JobState.SUCCEEDED);
    assertThat(ended.status().exitCode()).hasValue(0);
    assertThat(ended.status().ended()).contains(fixture.clock.instant());
    fixture.awaitEmptyEngine();
    JobFixture.eventually(() -> fixture.pipeline().placements().isEmpty(), "released resources");
  }

  @Test
  void ended_withExitCode() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("hello")), JobState.RUNNING);
    fixture.engine.finish(fixture.task(job, 0), 7);
    Job ended = fixture.await(job, JobState.FAILED);
    assertThat(ended.status().exitCode()).hasValue(7);
    assertThat(reason(ended)).isEqualTo("exited with code 7");
  }

  @Test
  void ended_outOfMemory() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("hello")), JobState.RUNNING);
    fixture.engine.end(
        fixture.task(job, 0),
        new TaskEnd(137, ExitReason.OUT_OF_MEMORY, "", fixture.clock.instant()));
    assertThat(reason(fixture.await(job, JobState.FAILED)))
        .isEqualTo("killed: exceeded its memory limit of 512 MiB");
  }

  @Test
  void reserve_fails() {
    fixture.engine.failReservations("no space left on the disk");
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("hello")), JobState.FAILED);
    assertThat(reason(job)).isEqualTo("failed to start: no space left on the disk");
    assertThat(job.status().exitCode()).hasValue(255);
    assertThat(fixture.engine.started()).isEmpty();
    fixture.engine.acceptReservations();
    fixture.await(fixture.submit(JobFileText.of("next", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void plan_insufficientResources_waitsWithReason() {
    fixture.started();
    Job first =
        fixture.await(fixture.submit(JobFileText.of("first", "m", 1, 1, 2, "")), JobState.RUNNING);
    Job second = fixture.submit(JobFileText.of("second", "m", 1, 1, 1, ""));
    JobFixture.eventually(
        () -> fixture.service().reasons(List.of(second)).getFirst().isPresent(), "a reason");
    assertThat(fixture.service().reasons(List.of(second)).getFirst().orElseThrow().english())
        .contains("needs 1 GPU")
        .contains("0 of 2 are free");
    assertThat(fixture.pipeline().depth()).isEqualTo(1);
    fixture.engine.finish(fixture.task(first, 0), 0);
    fixture.await(second, JobState.RUNNING);
    assertThat(fixture.engine.spec(fixture.task(second, 0)).devices()).hasSize(1);
  }

  @Test
  void submit_neverFits() {
    fixture.started();
    JobService.Submission response =
        fixture.service().submit(JobFixture.ALICE, JobFileText.of("big", "m", 1, 99, 0, ""), false);
    assertThat(response.neverFits()).isPresent();
    assertThat(fixture.job(response.job()).state()).isEqualTo(JobState.WAITING);
  }

  @Test
  void stop_runningJob_stops() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("hello")), JobState.RUNNING);
    Job stopping = fixture.service().stop(JobFixture.ALICE, job);
    assertThat(stopping.state()).isEqualTo(JobState.STOPPING);
    Job stopped = fixture.await(job, JobState.STOPPED);
    assertThat(reason(stopped)).isEqualTo("stopped by alice");
    assertThat(stopped.status().stopCause()).contains(StopCause.USER);
    assertThat(stopped.status().exitCode()).hasValue(143);
    fixture.awaitEmptyEngine();
  }

  @Test
  void stop_holdsResourcesUntilEnd() {
    fixture.started();
    Job job =
        fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job next = fixture.submit(JobFileText.named("b"));
    fixture.service().stop(JobFixture.ALICE, job);
    JobFixture.eventually(() -> !fixture.engine.stopped().isEmpty(), "the stop");
    assertThat(fixture.job(job).state()).isEqualTo(JobState.STOPPING);
    assertThat(fixture.job(next).state()).isEqualTo(JobState.WAITING);
    fixture.engine.finish(fixture.task(job, 0), 143);
    fixture.await(next, JobState.RUNNING);
  }

  @Test
  void stop_taskSucceedsFirst_jobSucceeds() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.service().stop(JobFixture.ALICE, job);
    fixture.engine.end(
        fixture.task(job, 0), new TaskEnd(0, ExitReason.SUCCEEDED, "", fixture.clock.instant()));
    fixture.await(job, JobState.SUCCEEDED);
  }

  @Test
  void stop_waitingJob_stops() {
    fixture.started();
    Job first =
        fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job second = fixture.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    Job third = fixture.submit(JobFileText.of("c", "m", 1, 8, 0, ""));
    assertThat(fixture.service().stop(JobFixture.ALICE, second).state())
        .isEqualTo(JobState.STOPPED);
    fixture.engine.finish(fixture.task(first, 0), 0);
    fixture.await(third, JobState.RUNNING);
    assertThat(fixture.engine.reserved()).hasSize(2);
  }

  @Test
  void tasks_completionConditionMet_stopsRemaining() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job =
        fixture.await(fixture.submit(JobFileText.of("gang", "w", 4, 1, 0, "")), JobState.RUNNING);
    assertThat(fixture.engine.started()).hasSize(4);
    fixture.engine.finish(fixture.task(job, 2), 3);
    Job ended = fixture.await(job, JobState.FAILED);
    assertThat(ended.status().exitCode()).hasValue(3);
    assertThat(ended.status().stopCause()).contains(StopCause.COMPLETION);
    assertThat(reason(ended)).isEqualTo("task w-2 exited with code 3");
    assertThat(fixture.engine.stopped()).hasSize(3);
    assertThat(fixture.service().details(ended).tasks())
        .allMatch(task -> task.state() == TaskState.ENDED);
    fixture.awaitEmptyEngine();
  }

  @Test
  void tasks_allSucceed() {
    fixture.started();
    Job job =
        fixture.await(fixture.submit(JobFileText.of("gang", "w", 4, 1, 0, "")), JobState.RUNNING);
    for (int i = 3; i >= 0; i--) {
      assertThat(fixture.job(job).state()).isEqualTo(JobState.RUNNING);
      fixture.engine.finish(fixture.task(job, i), 0);
    }
    fixture.await(job, JobState.SUCCEEDED);
  }

  @Test
  void start_recordsMissedEnd() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    Job waiting = fixture.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    fixture.pipeline().close();
    fixture.engine.finish(fixture.task(job, 0), 5);
    assertThat(fixture.job(job).state()).isEqualTo(JobState.RUNNING);
    restartServer();
    fixture.await(job, JobState.FAILED);
    fixture.await(waiting, JobState.RUNNING);
  }

  private void restartServer() {
    fixture.restart().started();
  }

  @Test
  void start_taskUnknownToEngine_isLost() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.pipeline().close();
    fixture.engine.remove(fixture.task(job, 0));
    restartServer();
    Job retriedJob = fixture.awaitAttempt(job, 2);
    assertThat(fixture.service().attempt(retriedJob, 1).attempt().end().orElseThrow().reason())
        .contains(Message.of("end.supervisor-lost"));
  }

  @Test
  void start_removesTasksOfUnknownJobs() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.engine.finish(fixture.task(job, 0), 0);
    fixture.await(job, JobState.SUCCEEDED);
    fixture.awaitEmptyEngine();
    fixture.pipeline().close();
    fixture.engine.reserve(fixture.engine.spec(fixture.task(job, 0)));
    restartServer();
    fixture.awaitEmptyEngine();
    assertThat(fixture.engine.started()).hasSize(1);
  }

  @Test
  void start_stoppingJob_isStoppedAgain() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.pipeline().close();
    fixture.service().stop(JobFixture.ALICE, job);
    fixture.engine.endStoppedTasks();
    restartServer();
    fixture.await(job, JobState.STOPPED);
    fixture.awaitEmptyEngine();
  }

  @Test
  void submit_manyJobs_eachRunsOnce() {
    fixture.started();
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      jobs.add(fixture.submit(JobFileText.named("job" + i)));
    }
    JobFixture.eventually(
        () -> {
          fixture.finishRunning(0);
          return jobs.stream().allMatch(job -> fixture.job(job).state().isFinal());
        },
        "all jobs to end");
    jobs.forEach(job -> fixture.await(job, JobState.SUCCEEDED));
    assertThat(fixture.engine.started()).hasSize(200).doesNotHaveDuplicates();
  }
}
