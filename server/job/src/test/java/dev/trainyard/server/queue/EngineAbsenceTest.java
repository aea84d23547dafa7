package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobState;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests jobs while the engine as a whole is unavailable. */
@EveryDatabase
class EngineAbsenceTest {
  private final JobFixture world;

  EngineAbsenceTest(Db db) {
    world = new JobFixture(db);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void absentEngine_jobsWaitWithoutUsingAttempts() {
    world.started();
    world.engine.goAway();
    Job first = world.submit(JobFileText.named("first"));
    world.awaitWhy(first, "engine does not respond");
    Job second = world.submit(JobFileText.named("second"));
    world.awaitWhy(second, "engine does not respond");
    for (int i = 0; i < 10; i++) {
      world.pass(Duration.ofMinutes(1));
    }
    assertThat(world.job(first).state()).isEqualTo(JobState.PREPARING);
    assertThat(world.job(second).state()).isEqualTo(JobState.WAITING);
    assertThat(world.job(second).status().attempt()).isZero();

    world.engine.comeBack();

    for (Job job : List.of(first, second)) {
      Job running = world.await(job, JobState.RUNNING);
      assertThat(running.status().attempt()).isEqualTo(1);
      assertThat(running.status().retries().past().faults()).isZero();
    }
  }

  @Test
  void absentEngine_waitingJobCanBeStopped() {
    world.started();
    world.engine.goAway();
    Job job = world.submit(JobFileText.named("first"));
    world.awaitWhy(job, "engine does not respond");

    world.service().stop(JobFixture.ALICE, world.job(job));

    world.await(job, JobState.STOPPED);
    world.engine.comeBack();
    Job other = world.submit(JobFileText.named("other"));
    world.await(other, JobState.RUNNING);
  }

  @Test
  void absentEngine_detectedByTick() {
    world.started();
    world.engine.goAway();
    world.pass(Duration.ZERO);
    Job job = world.submit(JobFileText.named("first"));
    world.awaitWhy(job, "engine does not respond");
    world.engine.comeBack();
    assertThat(world.await(job, JobState.RUNNING).status().attempt()).isEqualTo(1);
  }
}
