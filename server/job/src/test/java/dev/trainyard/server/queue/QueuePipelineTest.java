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
  private final JobFixture world;

  QueuePipelineTest(Db db) {
    this.world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static String reason(Job job) {
    return job.status().reason().orElseThrow().english();
  }

  @Test
  void submitted_runsToEnd() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("hello")), JobState.RUNNING);
    assertThat(job.status().started()).contains(world.clock.instant());
    assertThat(world.service().details(job).tasks().getFirst().state())
        .isEqualTo(TaskState.RUNNING);
    assertThat(world.pipeline().placements()).containsKey(job.id());
    world.engine.finish(world.task(job, 0), 0);
    Job ended = world.await(job, JobState.SUCCEEDED);
    assertThat(ended.status().exitCode()).hasValue(0);
    assertThat(ended.status().ended()).contains(world.clock.instant());
    world.awaitEmptyEngine();
    JobFixture.eventually(() -> world.pipeline().placements().isEmpty(), "released resources");
  }

  @Test
  void ended_withExitCode() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("hello")), JobState.RUNNING);
    world.engine.finish(world.task(job, 0), 7);
    Job ended = world.await(job, JobState.FAILED);
    assertThat(ended.status().exitCode()).hasValue(7);
    assertThat(reason(ended)).isEqualTo("exited with code 7");
  }

  @Test
  void ended_outOfMemory() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("hello")), JobState.RUNNING);
    world.engine.end(
        world.task(job, 0), new TaskEnd(137, ExitReason.OUT_OF_MEMORY, "", world.clock.instant()));
    assertThat(reason(world.await(job, JobState.FAILED)))
        .isEqualTo("killed: exceeded its memory limit of 512 MB");
  }

  @Test
  void reserve_fails() {
    world.engine.failReservations("no space left on the disk");
    world.started();
    Job job = world.await(world.submit(JobFileText.named("hello")), JobState.FAILED);
    assertThat(reason(job)).isEqualTo("failed to start: no space left on the disk");
    assertThat(job.status().exitCode()).hasValue(255);
    assertThat(world.engine.started()).isEmpty();
    world.engine.acceptReservations();
    world.await(world.submit(JobFileText.of("next", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void plan_insufficientResources_waitsWithReason() {
    world.started();
    Job first =
        world.await(world.submit(JobFileText.of("first", "m", 1, 1, 2, "")), JobState.RUNNING);
    Job second = world.submit(JobFileText.of("second", "m", 1, 1, 1, ""));
    JobFixture.eventually(
        () -> world.service().reasons(List.of(second)).getFirst().isPresent(), "a reason");
    assertThat(world.service().reasons(List.of(second)).getFirst().orElseThrow().english())
        .contains("needs 1 GPU")
        .contains("0 of 2 are free");
    assertThat(world.pipeline().depth()).isEqualTo(1);
    world.engine.finish(world.task(first, 0), 0);
    world.await(second, JobState.RUNNING);
    assertThat(world.engine.spec(world.task(second, 0)).devices()).hasSize(1);
  }

  @Test
  void submit_neverFits() {
    world.started();
    JobService.Submission answer =
        world.service().submit(JobFixture.ALICE, JobFileText.of("big", "m", 1, 99, 0, ""), false);
    assertThat(answer.neverFits()).isPresent();
    assertThat(world.job(answer.job()).state()).isEqualTo(JobState.WAITING);
  }

  @Test
  void stop_running() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(JobFileText.named("hello")), JobState.RUNNING);
    Job stopping = world.service().stop(JobFixture.ALICE, job);
    assertThat(stopping.state()).isEqualTo(JobState.STOPPING);
    Job stopped = world.await(job, JobState.STOPPED);
    assertThat(reason(stopped)).isEqualTo("stopped by alice");
    assertThat(stopped.status().stopCause()).contains(StopCause.USER);
    assertThat(stopped.status().exitCode()).hasValue(143);
    world.awaitEmptyEngine();
  }

  @Test
  void stop_holdsResourcesUntilEnd() {
    world.started();
    Job job = world.await(world.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job next = world.submit(JobFileText.named("b"));
    world.service().stop(JobFixture.ALICE, job);
    JobFixture.eventually(() -> !world.engine.stopped().isEmpty(), "the stop");
    assertThat(world.job(job).state()).isEqualTo(JobState.STOPPING);
    assertThat(world.job(next).state()).isEqualTo(JobState.WAITING);
    world.engine.finish(world.task(job, 0), 143);
    world.await(next, JobState.RUNNING);
  }

  @Test
  void stop_jobHadSucceeded() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.service().stop(JobFixture.ALICE, job);
    world.engine.end(
        world.task(job, 0), new TaskEnd(0, ExitReason.SUCCEEDED, "", world.clock.instant()));
    world.await(job, JobState.SUCCEEDED);
  }

  @Test
  void stop_waiting() {
    world.started();
    Job first = world.await(world.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job second = world.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    Job third = world.submit(JobFileText.of("c", "m", 1, 8, 0, ""));
    assertThat(world.service().stop(JobFixture.ALICE, second).state()).isEqualTo(JobState.STOPPED);
    world.engine.finish(world.task(first, 0), 0);
    world.await(third, JobState.RUNNING);
    assertThat(world.engine.reserved()).hasSize(2);
  }

  @Test
  void tasks_completionStopsTheRest() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(JobFileText.of("gang", "w", 4, 1, 0, "")), JobState.RUNNING);
    assertThat(world.engine.started()).hasSize(4);
    world.engine.finish(world.task(job, 2), 3);
    Job ended = world.await(job, JobState.FAILED);
    assertThat(ended.status().exitCode()).hasValue(3);
    assertThat(ended.status().stopCause()).contains(StopCause.COMPLETION);
    assertThat(reason(ended)).isEqualTo("task w-2 exited with code 3");
    assertThat(world.engine.stopped()).hasSize(3);
    assertThat(world.service().details(ended).tasks())
        .allMatch(task -> task.state() == TaskState.ENDED);
    world.awaitEmptyEngine();
  }

  @Test
  void tasks_allSucceed() {
    world.started();
    Job job = world.await(world.submit(JobFileText.of("gang", "w", 4, 1, 0, "")), JobState.RUNNING);
    for (int i = 3; i >= 0; i--) {
      assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
      world.engine.finish(world.task(job, i), 0);
    }
    world.await(job, JobState.SUCCEEDED);
  }

  @Test
  void start_recordsMissedEnd() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    Job waiting = world.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    world.pipeline().close();
    world.engine.finish(world.task(job, 0), 5);
    assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
    nextLife();
    world.await(job, JobState.FAILED);
    world.await(waiting, JobState.RUNNING);
  }

  private void nextLife() {
    world.liveAgain().started();
  }

  @Test
  void start_taskUnknownToEngine_isLost() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.pipeline().close();
    world.engine.remove(world.task(job, 0));
    nextLife();
    Job again = world.awaitAttempt(job, 2);
    assertThat(world.service().attempt(again, 1).attempt().end().orElseThrow().reason())
        .contains(Message.of("end.supervisor-lost"));
  }

  @Test
  void start_removesTasksOfUnknownJobs() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.engine.finish(world.task(job, 0), 0);
    world.await(job, JobState.SUCCEEDED);
    world.awaitEmptyEngine();
    world.pipeline().close();
    world.engine.reserve(world.engine.spec(world.task(job, 0)));
    nextLife();
    world.awaitEmptyEngine();
    assertThat(world.engine.started()).hasSize(1);
  }

  @Test
  void start_stoppingJob_isStoppedAgain() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.pipeline().close();
    world.service().stop(JobFixture.ALICE, job);
    world.engine.obeyStops();
    nextLife();
    world.await(job, JobState.STOPPED);
    world.awaitEmptyEngine();
  }

  @Test
  void many_jobsAllRunOnce() {
    world.started();
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      jobs.add(world.submit(JobFileText.named("job" + i)));
    }
    JobFixture.eventually(
        () -> {
          world.finishRunning(0);
          return jobs.stream().allMatch(job -> world.job(job).state().isFinal());
        },
        "all jobs to end");
    jobs.forEach(job -> world.await(job, JobState.SUCCEEDED));
    assertThat(world.engine.started()).hasSize(200).doesNotHaveDuplicates();
  }
}
