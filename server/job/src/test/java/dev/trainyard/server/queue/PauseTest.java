package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests pausing and resuming jobs. */
@EveryDatabase
class PauseTest {
  private final JobFixture fixture;

  PauseTest(Db db) {
    this.fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Job pause(Job job) {
    return fixture.service().pause(JobFixture.ALICE, job);
  }

  private static String failuresDoNotMatter(boolean gang) {
    return WithoutGangTest.jobFileWithFourTasks("careless", gang, "")
        .replace("instances: 4", "instances: 2")
        .replace(
            "dockerImage: i",
            "dockerImage: i\n"
                + "    completion: {minFailedInstances: -1, minSucceededInstances: -1}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pause_failuresIgnored_isNotSuccess(boolean gang) {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(fixture.submit(failuresDoNotMatter(gang)), JobState.RUNNING);
    pause(job);
    Job paused = fixture.await(job, JobState.PAUSED);
    fixture.service().resume(JobFixture.ALICE, paused);
    fixture.awaitAttempt(job, 2);
  }

  @Test
  void lost_failuresIgnored_isRetried() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(fixture.submit(failuresDoNotMatter(true)), JobState.RUNNING);
    fixture.engine.end(
        fixture.task(job, 1),
        new TaskEnd(137, ExitReason.SUPERVISOR_LOST, "", fixture.clock.instant()));
    fixture.awaitAttempt(job, 2);
  }

  @Test
  void pause_running_releasesResourcesAndResumes() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job =
        fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job next = fixture.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    assertThat(pause(job).status().stopCause()).contains(StopCause.PAUSE);
    Job paused = fixture.await(job, JobState.PAUSED);
    assertThat(fixture.waitReason(paused)).isEqualTo("paused by alice");
    fixture.await(next, JobState.RUNNING);
    Job last = fixture.submit(JobFileText.of("c", "m", 1, 8, 0, ""));
    assertThat(fixture.service().resume(JobFixture.ALICE, paused).state())
        .isEqualTo(JobState.WAITING);
    fixture.engine.finish(fixture.task(next, 0), 0);
    Job resumedJob = fixture.awaitAttempt(job, 2);
    assertThat(fixture.job(last).state())
        .as("its position is that of its submission")
        .isEqualTo(JobState.WAITING);
    assertThat(resumedJob.status().retries().past().counted()).isZero();
    assertThat(resumedJob.status().stopCause()).isEmpty();
    assertThat(fixture.service().attempt(job, 1).attempt().stoppedBy()).contains("alice");
    assertThat(fixture.service().attempt(job, 2).attempt().cause()).isEqualTo(AttemptCause.RESUME);
    fixture.engine.finish(fixture.task(job, 2, 0), 0);
    fixture.await(job, JobState.SUCCEEDED);
  }

  @Test
  void pause_waiting() {
    fixture.started();
    Job first =
        fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job job = fixture.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    Job behind = fixture.submit(JobFileText.of("c", "m", 1, 8, 0, ""));
    assertThat(pause(job).state()).isEqualTo(JobState.PAUSED);
    assertThat(pause(job).state()).as("again").isEqualTo(JobState.PAUSED);
    fixture.engine.finish(fixture.task(first, 0), 0);
    fixture.await(behind, JobState.RUNNING);
    fixture.service().resume(JobFixture.ALICE, job);
    fixture.engine.finish(fixture.task(behind, 0), 0);
    fixture.awaitAttempt(job, 1);
    assertThat(fixture.service().attempt(job, 1).attempt().cause()).isEqualTo(AttemptCause.FIRST);
  }

  @Test
  void stopRequested_afterJobWasResumed_newAttemptIsKept() {
    fixture.engine.endStoppedTasks();
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    pause(job);
    Job paused = fixture.await(job, JobState.PAUSED);
    fixture.service().resume(JobFixture.ALICE, paused);
    fixture.awaitAttempt(job, 2);
    fixture.pipeline().stopRequested(job.id(), paused.status());
    fixture.advanceClock(Duration.ofSeconds(5));
    fixture.engine.finish(fixture.task(job, 2, 0), 0);
    fixture.await(job, JobState.SUCCEEDED);
    assertThat(fixture.engine.stopped()).noneMatch(task -> task.attempt() == 2);
  }

  @Test
  void stopRequested_afterJobWaitsAgain_jobRemainsQueued() {
    fixture.started();
    Job first =
        fixture.await(fixture.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job job = fixture.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    Job paused = pause(job);
    fixture.service().resume(JobFixture.ALICE, paused);
    fixture.pipeline().stopRequested(job.id(), paused.status());
    fixture.engine.finish(fixture.task(first, 0), 0);
    fixture.awaitAttempt(job, 1);
  }

  @Test
  void pause_jobSucceeds_successCounts() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    pause(job);
    fixture.engine.end(
        fixture.task(job, 0), new TaskEnd(0, ExitReason.SUCCEEDED, "", fixture.clock.instant()));
    fixture.await(job, JobState.SUCCEEDED);
  }

  @Test
  void pause_thenStop() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    pause(job);
    assertThat(fixture.service().stop(JobFixture.ALICE, job).status().stopCause())
        .contains(StopCause.USER);
    fixture.engine.finish(fixture.task(job, 0), 143);
    fixture.await(job, JobState.STOPPED);
  }

  @Test
  void stop_andDeletePaused() {
    fixture.started();
    Job first = fixture.submit(JobFileText.of("a", "m", 1, 99, 0, ""));
    pause(first);
    assertThat(fixture.service().stop(JobFixture.ALICE, first).state()).isEqualTo(JobState.STOPPED);
    Job second = fixture.submit(JobFileText.of("b", "m", 1, 99, 0, ""));
    fixture.service().delete(JobFixture.ALICE, pause(second));
    assertThat(fixture.service().refresh(second.id())).isEmpty();
  }

  @Test
  void invalidRequests_rejected() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    assertThatThrownBy(() -> fixture.service().resume(JobFixture.ALICE, job))
        .hasMessageContaining("is not paused");
    pause(job);
    assertThatThrownBy(() -> fixture.service().resume(JobFixture.ALICE, job))
        .hasMessageContaining("still being paused");
    fixture.service().stop(JobFixture.ALICE, job);
    assertThatThrownBy(() -> pause(job)).hasMessageContaining("already being stopped");
    fixture.engine.finish(fixture.task(job, 0), 143);
    fixture.await(job, JobState.STOPPED);
    assertThatThrownBy(() -> pause(job)).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> fixture.service().resume(JobFixture.ALICE, job))
        .hasMessageContaining("already finished");
  }

  @Test
  void pause_whileReserving() {
    fixture.engine.blockReservations();
    fixture.started();
    Job job = fixture.submit(JobFileText.of("a", "m", 3, 1, 0, ""));
    JobFixture.eventually(() -> fixture.engine.blockedReservationCount() == 3, "the reservations");
    pause(job);
    fixture.await(job, JobState.PAUSED);
    fixture.service().resume(JobFixture.ALICE, job);
    fixture.engine.resumeReservations();
    fixture.awaitAttempt(job, 2);
    assertThat(fixture.engine.started()).hasSize(3).allMatch(task -> task.attempt() == 2);
  }

  @Test
  void pause_survivesRestart() {
    fixture.started();
    Job job = fixture.await(fixture.submit(JobFileText.named("a")), JobState.RUNNING);
    fixture.pipeline().close();
    pause(job);
    fixture.engine.endStoppedTasks();
    fixture.restart().started();
    fixture.await(job, JobState.PAUSED);
    fixture.pipeline().close();
    fixture.restart().started();
    fixture.service().resume(JobFixture.ALICE, job);
    fixture.awaitAttempt(job, 2);
  }
}
