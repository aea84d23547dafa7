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
  private final JobFixture world;

  PauseTest(Db db) {
    this.world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private Job pause(Job job) {
    return world.service().pause(JobFixture.ALICE, job);
  }

  private static String failuresDoNotMatter(boolean gang) {
    return WithoutGangTest.four("careless", gang, "")
        .replace("instances: 4", "instances: 2")
        .replace(
            "dockerImage: i",
            "dockerImage: i\n"
                + "    completion: {minFailedInstances: -1, minSucceededInstances: -1}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pause_failuresIgnored_isNotSuccess(boolean gang) {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(failuresDoNotMatter(gang)), JobState.RUNNING);
    pause(job);
    Job paused = world.await(job, JobState.PAUSED);
    world.service().resume(JobFixture.ALICE, paused);
    world.awaitAttempt(job, 2);
  }

  @Test
  void lost_failuresIgnored_isRetried() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(failuresDoNotMatter(true)), JobState.RUNNING);
    world.engine.end(
        world.task(job, 1),
        new TaskEnd(137, ExitReason.SUPERVISOR_LOST, "", world.clock.instant()));
    world.awaitAttempt(job, 2);
  }

  @Test
  void pause_running_releasesResourcesAndResumes() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job next = world.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    assertThat(pause(job).status().stopCause()).contains(StopCause.PAUSE);
    Job paused = world.await(job, JobState.PAUSED);
    assertThat(world.why(paused)).isEqualTo("paused by alice");
    world.await(next, JobState.RUNNING);
    Job last = world.submit(JobFileText.of("c", "m", 1, 8, 0, ""));
    assertThat(world.service().resume(JobFixture.ALICE, paused).state())
        .isEqualTo(JobState.WAITING);
    world.engine.finish(world.task(next, 0), 0);
    Job again = world.awaitAttempt(job, 2);
    assertThat(world.job(last).state())
        .as("its position is that of its submission")
        .isEqualTo(JobState.WAITING);
    assertThat(again.status().retries().past().counted()).isZero();
    assertThat(again.status().stopCause()).isEmpty();
    assertThat(world.service().attempt(job, 1).attempt().stoppedBy()).contains("alice");
    assertThat(world.service().attempt(job, 2).attempt().cause()).isEqualTo(AttemptCause.RESUME);
    world.engine.finish(world.task(job, 2, 0), 0);
    world.await(job, JobState.SUCCEEDED);
  }

  @Test
  void pause_waiting() {
    world.started();
    Job first = world.await(world.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job job = world.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    Job behind = world.submit(JobFileText.of("c", "m", 1, 8, 0, ""));
    assertThat(pause(job).state()).isEqualTo(JobState.PAUSED);
    assertThat(pause(job).state()).as("again").isEqualTo(JobState.PAUSED);
    world.engine.finish(world.task(first, 0), 0);
    world.await(behind, JobState.RUNNING);
    world.service().resume(JobFixture.ALICE, job);
    world.engine.finish(world.task(behind, 0), 0);
    world.awaitAttempt(job, 1);
    assertThat(world.service().attempt(job, 1).attempt().cause()).isEqualTo(AttemptCause.FIRST);
  }

  @Test
  void stopRequested_lateAndJobRunsAgain_newAttemptIsKept() {
    world.engine.obeyStops();
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    pause(job);
    Job paused = world.await(job, JobState.PAUSED);
    world.service().resume(JobFixture.ALICE, paused);
    world.awaitAttempt(job, 2);
    world.pipeline().stopRequested(job.id(), paused.status());
    world.pass(Duration.ofSeconds(5));
    world.engine.finish(world.task(job, 2, 0), 0);
    world.await(job, JobState.SUCCEEDED);
    assertThat(world.engine.stopped()).noneMatch(task -> task.attempt() == 2);
  }

  @Test
  void stopRequested_lateAndJobWaitsAgain_jobStaysInQueue() {
    world.started();
    Job first = world.await(world.submit(JobFileText.of("a", "m", 1, 8, 0, "")), JobState.RUNNING);
    Job job = world.submit(JobFileText.of("b", "m", 1, 8, 0, ""));
    Job paused = pause(job);
    world.service().resume(JobFixture.ALICE, paused);
    world.pipeline().stopRequested(job.id(), paused.status());
    world.engine.finish(world.task(first, 0), 0);
    world.awaitAttempt(job, 1);
  }

  @Test
  void pause_jobSucceeds_successCounts() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    pause(job);
    world.engine.end(
        world.task(job, 0), new TaskEnd(0, ExitReason.SUCCEEDED, "", world.clock.instant()));
    world.await(job, JobState.SUCCEEDED);
  }

  @Test
  void pause_thenStop() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    pause(job);
    assertThat(world.service().stop(JobFixture.ALICE, job).status().stopCause())
        .contains(StopCause.USER);
    world.engine.finish(world.task(job, 0), 143);
    world.await(job, JobState.STOPPED);
  }

  @Test
  void stop_andDeletePaused() {
    world.started();
    Job first = world.submit(JobFileText.of("a", "m", 1, 99, 0, ""));
    pause(first);
    assertThat(world.service().stop(JobFixture.ALICE, first).state()).isEqualTo(JobState.STOPPED);
    Job second = world.submit(JobFileText.of("b", "m", 1, 99, 0, ""));
    world.service().delete(JobFixture.ALICE, pause(second));
    assertThat(world.service().refresh(second.id())).isEmpty();
  }

  @Test
  void refusals() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    assertThatThrownBy(() -> world.service().resume(JobFixture.ALICE, job))
        .hasMessageContaining("is not paused");
    pause(job);
    assertThatThrownBy(() -> world.service().resume(JobFixture.ALICE, job))
        .hasMessageContaining("still being paused");
    world.service().stop(JobFixture.ALICE, job);
    assertThatThrownBy(() -> pause(job)).hasMessageContaining("already being stopped");
    world.engine.finish(world.task(job, 0), 143);
    world.await(job, JobState.STOPPED);
    assertThatThrownBy(() -> pause(job)).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> world.service().resume(JobFixture.ALICE, job))
        .hasMessageContaining("already finished");
  }

  @Test
  void pause_whileReserving() {
    world.engine.holdReservations();
    world.started();
    Job job = world.submit(JobFileText.of("a", "m", 3, 1, 0, ""));
    JobFixture.eventually(() -> world.engine.reservationsHeld() == 3, "the reservations");
    pause(job);
    world.await(job, JobState.PAUSED);
    world.service().resume(JobFixture.ALICE, job);
    world.engine.goOn();
    world.awaitAttempt(job, 2);
    assertThat(world.engine.started()).hasSize(3).allMatch(task -> task.attempt() == 2);
  }

  @Test
  void pause_survivesRestart() {
    world.started();
    Job job = world.await(world.submit(JobFileText.named("a")), JobState.RUNNING);
    world.pipeline().close();
    pause(job);
    world.engine.obeyStops();
    world.liveAgain().started();
    world.await(job, JobState.PAUSED);
    world.pipeline().close();
    world.liveAgain().started();
    world.service().resume(JobFixture.ALICE, job);
    world.awaitAttempt(job, 2);
  }
}
