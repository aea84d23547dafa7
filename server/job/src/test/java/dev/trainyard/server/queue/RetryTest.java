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
  private final JobFixture fixture;

  RetryTest(Db db) {
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Job submit(int retryCount) {
    return fixture.submit(
        JobFileText.of("job", "m", 1, 1, 0, "\"retryCount\": " + retryCount + ","));
  }

  private void loseTask(Job job, int attempt) {
    fixture.engine.end(
        fixture.task(job, attempt, 0),
        new TaskEnd(137, ExitReason.SUPERVISOR_LOST, "", fixture.clock.instant()));
  }

  private List<AttemptCause> causes(Job job) {
    return fixture.service().attempts(job, Integer.MAX_VALUE, 99).stream()
        .map(Attempt::cause)
        .toList();
  }

  @Test
  void failure_countsAgainstLimit() {
    fixture.started();
    Job job = submit(2);
    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.awaitAttempt(job, attempt);
      fixture.engine.finish(fixture.task(job, attempt, 0), 10 + attempt);
    }
    Job ended = fixture.await(job, JobState.FAILED);
    assertThat(ended.status().exitCode()).hasValue(13);
    assertThat(ended.status().attempt()).isEqualTo(3);
    assertThat(causes(job))
        .containsExactly(AttemptCause.FAILURE, AttemptCause.FAILURE, AttemptCause.FIRST);
    assertThat(fixture.service().attempt(job, 1).attempt().end().orElseThrow().exitCode())
        .hasValue(11);
    assertThat(fixture.service().attempt(job, 2).tasks().getFirst().end().orElseThrow().exitCode())
        .isEqualTo(12);
    fixture.awaitEmptyEngine();
    assertThat(fixture.assignedPortCount()).isZero();
  }

  @Test
  void retryAlways_success_isRetriedToo() {
    fixture.started();
    Job job = submit(-2);
    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.awaitAttempt(job, attempt);
      fixture.engine.finish(fixture.task(job, attempt, 0), 0);
    }
    fixture.awaitAttempt(job, 4);
    fixture.engine.endStoppedTasks();
    fixture.service().stop(JobFixture.ALICE, fixture.job(job));
    assertThat(fixture.await(job, JobState.STOPPED).status().attempt()).isEqualTo(4);
  }

  /**
   * An attempt that succeeds while the job is being stopped is not the end of the job, which would
   * otherwise be restarted.
   */
  @Test
  void retryAlways_stoppedWhileAttemptSucceeds() {
    fixture.started();
    Job job = submit(-2);
    fixture.awaitAttempt(job, 1);
    fixture.service().stop(JobFixture.ALICE, fixture.job(job));
    fixture.engine.end(
        fixture.task(job, 1, 0), new TaskEnd(0, ExitReason.SUCCEEDED, "", fixture.clock.instant()));
    assertThat(fixture.await(job, JobState.STOPPED).status().attempt()).isEqualTo(1);
  }

  @Test
  void platformFault_isNotCountedAndBacksOff() {
    fixture.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.awaitAttempt(job, attempt);
      loseTask(job, attempt);
    }
    fixture.await(job, JobState.WAITING);
    fixture.awaitWaitReason(
        job, "attempt 3 failed; the next one starts in 10 seconds; cause: lost: its supervisor");
    fixture.advanceClock(Duration.ofSeconds(9));
    fixture.awaitWaitReason(job, "in 1 second");
    assertThat(fixture.job(job).state()).isEqualTo(JobState.WAITING);
    fixture.advanceClock(Duration.ofSeconds(1));
    fixture.awaitAttempt(job, 4);
    fixture.engine.finish(fixture.task(job, 4, 0), 0);
    assertThat(fixture.await(job, JobState.SUCCEEDED).status().retries().past().counted()).isZero();
  }

  @Test
  void start_outOfThreads_isRetried() {
    fixture.engine.failNextStart(new OutOfMemoryError("unable to create native thread"));
    fixture.started();
    Job job = submit(0);
    fixture.awaitAttempt(job, 2);
    fixture.engine.finish(fixture.task(job, 2, 0), 0);

    fixture.await(job, JobState.SUCCEEDED);
    assertThat(fixture.service().attempt(job, 1).tasks().getFirst().end().orElseThrow().reason())
        .isEqualTo(ExitReason.START_FAILED);
  }

  @Test
  void platformFault_retriesAreLimited() {
    fixture.started();
    Job job = submit(-1);
    for (int attempt = 1; attempt <= 10; attempt++) {
      fixture.awaitAttempt(job, attempt);
      loseTask(job, attempt);
      if (attempt >= 3 && attempt < 10) {
        fixture.await(job, JobState.WAITING);
        fixture.waitReason(job);
        fixture.advanceClock(Duration.ofMinutes(10));
      }
    }
    assertThat(fixture.await(job, JobState.FAILED).status().reason().orElseThrow().english())
        .isEqualTo(
            "failed permanently after 10 consecutive platform failures; the last one: lost: its"
                + " supervisor disappeared without recording an exit code");
  }

  @Test
  void backOff_survivesRestartAndClockSetBack() {
    fixture.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.awaitAttempt(job, attempt);
      loseTask(job, attempt);
    }
    fixture.await(job, JobState.WAITING);
    fixture.pipeline().close();
    fixture.clock.advance(Duration.ofSeconds(4));
    fixture.restart().started();
    fixture.awaitWaitReason(job, "in 6 seconds");
    fixture.advanceClock(Duration.ofHours(-1));
    fixture.awaitWaitReason(job, "in 10 seconds");
    fixture.advanceClock(Duration.ofSeconds(10));
    fixture.awaitAttempt(job, 4);
  }

  @Test
  void backOff_doesNotDelayOthers() {
    fixture.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.awaitAttempt(job, attempt);
      loseTask(job, attempt);
    }
    fixture.await(job, JobState.WAITING);
    fixture.await(fixture.submit(JobFileText.of("next", "m", 1, 8, 0, "")), JobState.RUNNING);
  }

  @Test
  void startRefused_isNotRetried() {
    fixture.engine.failReservations("the path /etc can't be used in a task");
    fixture.started();
    Job ended = fixture.await(submit(-1), JobState.FAILED);
    assertThat(ended.status().attempt()).isEqualTo(1);
  }

  @Test
  void transientFailure_isRetried() {
    fixture.engine.failReservationsAfter(
        0, EngineException.transientFailure("no space left on device"));
    fixture.started();
    Job job = submit(0);
    JobFixture.eventually(
        () ->
            fixture.job(job).state() == JobState.WAITING
                && fixture.job(job).status().retries().past().faults() == 3,
        "three faults");
    fixture.engine.acceptReservations();
    fixture.waitReason(job);
    fixture.advanceClock(Duration.ofSeconds(10));
    fixture.awaitAttempt(job, 4);
    assertThat(fixture.engine.started()).hasSize(1);
  }

  @Test
  void gang_remainingTasksAreStoppedForRetry() {
    fixture.started();
    Job job = fixture.submit(JobFileText.of("gang", "w", 3, 1, 0, "\"retryCount\": 1,"));
    fixture.awaitAttempt(job, 1);
    fixture.engine.finish(fixture.task(job, 1, 2), 5);
    Job stopping = fixture.await(job, JobState.STOPPING);
    assertThat(stopping.status().stopCause()).contains(StopCause.RETRY);
    JobFixture.eventually(() -> fixture.engine.stopped().size() == 2, "the stops");
    fixture.engine.finish(fixture.task(job, 1, 0), 143);
    fixture.engine.finish(fixture.task(job, 1, 1), 143);
    fixture.awaitAttempt(job, 2);
    assertThat(fixture.service().attempt(job, 1).attempt().stopCause()).contains(StopCause.RETRY);
    assertThat(fixture.job(job).status().stopCause()).isEmpty();
    assertThat(fixture.engine.started()).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void stop_jobThatWouldBeRetried() {
    fixture.started();
    Job job = fixture.submit(JobFileText.of("gang", "w", 2, 1, 0, "\"retryCount\": 5,"));
    fixture.awaitAttempt(job, 1);
    fixture.engine.finish(fixture.task(job, 1, 0), 5);
    fixture.await(job, JobState.STOPPING);
    assertThat(fixture.service().stop(JobFixture.ALICE, job).status().stopCause())
        .contains(StopCause.USER);
    fixture.engine.finish(fixture.task(job, 1, 1), 143);
    assertThat(fixture.await(job, JobState.STOPPED).status().attempt()).isEqualTo(1);
  }

  @Test
  void stop_duringTheBackOff() {
    fixture.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      fixture.awaitAttempt(job, attempt);
      loseTask(job, attempt);
    }
    fixture.await(job, JobState.WAITING);
    assertThat(fixture.service().stop(JobFixture.ALICE, job).state()).isEqualTo(JobState.STOPPED);
    JobFixture.eventually(() -> fixture.pipeline().depth() == 0, "the queue to be empty");
    fixture.advanceClock(Duration.ofHours(1));
    fixture.await(fixture.submit(JobFileText.named("next")), JobState.RUNNING);
    assertThat(fixture.engine.started()).hasSize(4);
  }

  @Test
  void sigkill_byTheUser_isCounted() {
    fixture.started();
    Job job = submit(1);
    for (int attempt = 1; attempt <= 2; attempt++) {
      fixture.awaitAttempt(job, attempt);
      fixture.engine.finish(fixture.task(job, attempt, 0), 137);
    }
    Job ended = fixture.await(job, JobState.FAILED);
    assertThat(ended.status().attempt()).isEqualTo(2);
    assertThat(ended.status().retries().past().counted()).isEqualTo(1);
    assertThat(causes(job)).containsExactly(AttemptCause.FAILURE, AttemptCause.FIRST);
  }

  private void failWith(Job job, int attempt, String error) {
    fixture.awaitAttempt(job, attempt);
    fixture.engine.write(fixture.task(job, attempt, 0), true, error + "\n");
    fixture.engine.finish(fixture.task(job, attempt, 0), 1);
  }

  @Test
  void conflict_waitsAndIsNotCountedAtFirst() {
    fixture.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 3; attempt++) {
      failWith(job, attempt, "OSError: [Errno 98] Address already in use");
      Job waiting = fixture.await(job, JobState.WAITING);
      assertThat(waiting.status().retries().cause()).isEqualTo(AttemptCause.CONFLICT);
      assertThat(waiting.status().retries().backOff())
          .isBetween(Duration.ofMinutes(1L << (attempt - 1)), Duration.ofMinutes(1L << attempt));
      fixture.waitReason(job);
      fixture.advanceClock(waiting.status().retries().backOff());
    }
    failWith(job, 4, "OSError: [Errno 98] Address already in use");
    assertThat(fixture.await(job, JobState.FAILED).status().attempt()).isEqualTo(4);
  }

  @Test
  void hardwareFault_isNotCountedButLimited() {
    fixture.started();
    Job job = submit(0);
    for (int attempt = 1; attempt <= 10; attempt++) {
      fixture.awaitAttempt(job, attempt);
      fixture.clock.advance(Duration.ofHours(1));
      failWith(job, attempt, "CUDA error: uncorrectable ECC error encountered");
      if (attempt >= 3 && attempt < 10) {
        fixture.await(job, JobState.WAITING);
        fixture.waitReason(job);
        fixture.advanceClock(Duration.ofMinutes(10));
      }
    }
    assertThat(fixture.await(job, JobState.FAILED).status().reason().orElseThrow().code())
        .isEqualTo("end.hopeless");
  }
}
