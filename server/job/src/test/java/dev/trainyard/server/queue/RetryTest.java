package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests retries in a complete queue. */
@EveryDatabase
class RetryTest {
  private final JobFixture world;

  RetryTest(Db db) {
    this.world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private Job submit(int retryCount) {
    return world.submit(JobFileText.of("job", "m", 1, 1, 0, "\"retryCount\": " + retryCount + ","));
  }

  private void lose(Job job, int attempt) {
    world.engine.end(
        world.task(job, attempt, 0),
        new TaskEnd(137, ExitReason.SUPERVISOR_LOST, "", world.clock.instant()));
  }

  private List<AttemptCause> causes(Job job) {
    return world.service().attempts(job, Integer.MAX_VALUE, 99).stream()
        .map(Attempt::cause)
        .toList();
  }

  @Test
  void failure_countsAgainstLimit() {
    world.started();
    Job job = submit(2);
    for (int attempt = 1; attempt <= 3; attempt++) {
      world.awaitAttempt(job, attempt);
      world.engine.finish(world.task(job, attempt, 0), 10 + attempt);
    }
    Job ended = world.await(job, JobState.FAILED);
    assertThat(ended.status().exitCode()).hasValue(13);
    assertThat(ended.status().attempt()).isEqualTo(3);
    assertThat(causes(job))
        .containsExactly(AttemptCause.FAILURE, AttemptCause.FAILURE, AttemptCause.FIRST);
    assertThat(world.service().attempt(job, 1).attempt().end().orElseThrow().exitCode())
        .hasValue(11);
    assertThat(world.service().attempt(job, 2).tasks().getFirst().end().orElseThrow().exitCode())
        .isEqualTo(12);
    world.awaitEmptyEngine();
    assertThat(world.portsTaken()).isZero();
  }

  @Test
  void always_alsoAfterSuccess() {
    world.started();
    Job job = submit(-2);
    for (int attempt = 1; attempt <= 3; attempt++) {
      world.awaitAttempt(job, attempt);
      world.engine.finish(world.task(job, attempt, 0), 0);
    }
    world.awaitAttempt(job, 4);
    world.engine.obeyStops();
    world.service().stop(JobFixture.ALICE, world.job(job));
    assertThat(world.await(job, JobState.STOPPED).status().attempt()).isEqualTo(4);
  }

  /**
   * An attempt that succeeds while the job is being stopped is not the end of the job, which would
   * otherwise be restarted.
   */
  @Test
  void always_stoppedWhileAttemptSucceeds() {
    world.started();
    Job job = submit(-2);
    world.awaitAttempt(job, 1);
    world.service().stop(JobFixture.ALICE, world.job(job));
    world.engine.end(
        world.task(job, 1, 0), new TaskEnd(0, ExitReason.SUCCEEDED, "", world.clock.instant()));
    assertThat(world.await(job, JobState.STOPPED).status().attempt()).isEqualTo(1);
  }

  @Test
  void platformFault_isFreeAndBacksOff() {
    world.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      world.awaitAttempt(job, attempt);
      lose(job, attempt);
    }
    world.await(job, JobState.WAITING);
    world.awaitWhy(job, "attempt 3 has finished; the next one starts in 10 seconds");
    world.pass(Duration.ofSeconds(9));
    world.awaitWhy(job, "in 1 second");
    assertThat(world.job(job).state()).isEqualTo(JobState.WAITING);
    world.pass(Duration.ofSeconds(1));
    world.awaitAttempt(job, 4);
    world.engine.finish(world.task(job, 4, 0), 0);
    assertThat(world.await(job, JobState.SUCCEEDED).status().retries().past().counted()).isZero();
  }

  @Test
  void start_outOfThreads_isRetried() {
    world.engine.failNextStart(new OutOfMemoryError("unable to create native thread"));
    world.started();
    Job job = submit(0);
    world.awaitAttempt(job, 2);
    world.engine.finish(world.task(job, 2, 0), 0);

    world.await(job, JobState.SUCCEEDED);
    assertThat(world.service().attempt(job, 1).tasks().getFirst().end().orElseThrow().reason())
        .isEqualTo(ExitReason.START_FAILED);
  }

  @Test
  void platformFault_retriesAreLimited() {
    world.started();
    Job job = submit(-1);
    for (int attempt = 1; attempt <= 10; attempt++) {
      world.awaitAttempt(job, attempt);
      lose(job, attempt);
      if (attempt >= 3 && attempt < 10) {
        world.await(job, JobState.WAITING);
        world.why(job);
        world.pass(Duration.ofMinutes(10));
      }
    }
    assertThat(world.await(job, JobState.FAILED).status().reason().orElseThrow().english())
        .isEqualTo(
            "failed permanently after 10 consecutive platform failures; the last one: lost: its"
                + " supervisor disappeared without recording an exit code");
  }

  @Test
  void backOff_survivesRestartAndClockSetBack() {
    world.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      world.awaitAttempt(job, attempt);
      lose(job, attempt);
    }
    world.await(job, JobState.WAITING);
    world.pipeline().close();
    world.clock.advance(Duration.ofSeconds(4));
    world.liveAgain().started();
    world.awaitWhy(job, "in 6 seconds");
    world.pass(Duration.ofHours(-1));
    world.awaitWhy(job, "in 10 seconds");
    world.pass(Duration.ofSeconds(10));
    world.awaitAttempt(job, 4);
  }

  @Test
  void backOff_doesNotDelayOthers() {
    world.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      world.awaitAttempt(job, attempt);
      lose(job, attempt);
    }
    world.await(job, JobState.WAITING);
    world.await(world.submit(JobFileText.of("next", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void startRefused_isNotRetried() {
    world.engine.failReservations("the path /etc can't be used in a task");
    world.started();
    Job ended = world.await(submit(-1), JobState.FAILED);
    assertThat(ended.status().attempt()).isEqualTo(1);
  }

  @Test
  void transientFailure_isRetried() {
    world.engine.failReservationsAfter(0, EngineException.passing("no space left on device"));
    world.started();
    Job job = submit(0);
    JobFixture.eventually(
        () ->
            world.job(job).state() == JobState.WAITING
                && world.job(job).status().retries().past().faults() == 3,
        "three faults");
    world.engine.acceptReservations();
    world.why(job);
    world.pass(Duration.ofSeconds(10));
    world.awaitAttempt(job, 4);
    assertThat(world.engine.started()).hasSize(1);
  }

  @Test
  void gang_remainingTasksAreStoppedForRetry() {
    world.started();
    Job job = world.submit(JobFileText.of("gang", "w", 3, 1, 0, "\"retryCount\": 1,"));
    world.awaitAttempt(job, 1);
    world.engine.finish(world.task(job, 1, 2), 5);
    Job stopping = world.await(job, JobState.STOPPING);
    assertThat(stopping.status().stopCause()).contains(StopCause.RETRY);
    JobFixture.eventually(() -> world.engine.stopped().size() == 2, "the stops");
    world.engine.finish(world.task(job, 1, 0), 143);
    world.engine.finish(world.task(job, 1, 1), 143);
    world.awaitAttempt(job, 2);
    assertThat(world.service().attempt(job, 1).attempt().stopCause()).contains(StopCause.RETRY);
    assertThat(world.job(job).status().stopCause()).isEmpty();
    assertThat(world.engine.started()).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void stop_jobThatWouldBeRetried() {
    world.started();
    Job job = world.submit(JobFileText.of("gang", "w", 2, 1, 0, "\"retryCount\": 5,"));
    world.awaitAttempt(job, 1);
    world.engine.finish(world.task(job, 1, 0), 5);
    world.await(job, JobState.STOPPING);
    assertThat(world.service().stop(JobFixture.ALICE, job).status().stopCause())
        .contains(StopCause.USER);
    world.engine.finish(world.task(job, 1, 1), 143);
    assertThat(world.await(job, JobState.STOPPED).status().attempt()).isEqualTo(1);
  }

  @Test
  void stop_duringTheBackOff() {
    world.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      world.awaitAttempt(job, attempt);
      lose(job, attempt);
    }
    world.await(job, JobState.WAITING);
    assertThat(world.service().stop(JobFixture.ALICE, job).state()).isEqualTo(JobState.STOPPED);
    JobFixture.eventually(() -> world.pipeline().depth() == 0, "the queue to be empty");
    world.pass(Duration.ofHours(1));
    world.await(world.submit(JobFileText.named("next")), JobState.RUNNING);
    assertThat(world.engine.started()).hasSize(4);
  }

  @Test
  void sigkill_byTheUser_isCounted() {
    world.started();
    Job job = submit(1);
    for (int attempt = 1; attempt <= 2; attempt++) {
      world.awaitAttempt(job, attempt);
      world.engine.finish(world.task(job, attempt, 0), 137);
    }
    Job ended = world.await(job, JobState.FAILED);
    assertThat(ended.status().attempt()).isEqualTo(2);
    assertThat(ended.status().retries().past().counted()).isEqualTo(1);
    assertThat(causes(job)).containsExactly(AttemptCause.FAILURE, AttemptCause.FIRST);
  }

  private void failWith(Job job, int attempt, String error) {
    world.awaitAttempt(job, attempt);
    world.engine.write(world.task(job, attempt, 0), true, error + "\n");
    world.engine.finish(world.task(job, attempt, 0), 1);
  }

  @Test
  void conflict_waitsAndIsFreeAtFirst() {
    world.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      failWith(job, attempt, "OSError: [Errno 98] Address already in use");
      Job waiting = world.await(job, JobState.WAITING);
      assertThat(waiting.status().retries().cause()).isEqualTo(AttemptCause.CONFLICT);
      assertThat(waiting.status().retries().backOff())
          .isBetween(Duration.ofMinutes(1L << (attempt - 1)), Duration.ofMinutes(1L << attempt));
      world.why(job);
      world.pass(waiting.status().retries().backOff());
    }
    failWith(job, 4, "OSError: [Errno 98] Address already in use");
    assertThat(world.await(job, JobState.FAILED).status().attempt()).isEqualTo(4);
  }

  @Test
  void hardwareFault_isFreeButLimitedRegardlessOfRunTime() {
    world.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 10; attempt++) {
      world.awaitAttempt(job, attempt);
      world.clock.advance(Duration.ofHours(1));
      failWith(job, attempt, "CUDA error: uncorrectable ECC error encountered");
      if (attempt >= 3 && attempt < 10) {
        world.await(job, JobState.WAITING);
        world.why(job);
        world.pass(Duration.ofMinutes(10));
      }
    }
    assertThat(world.await(job, JobState.FAILED).status().reason().orElseThrow().code())
        .isEqualTo("end.hopeless");
  }
}
