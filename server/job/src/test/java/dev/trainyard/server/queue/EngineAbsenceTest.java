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
  private final JobFixture fixture;

  EngineAbsenceTest(Db db) {
    fixture = new JobFixture(db);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void absentEngine_jobsWaitWithoutUsingAttempts() {
    fixture.started();
    fixture.engine.disconnect();
    Job first = fixture.submit(JobFileText.named("first"));
    fixture.awaitWaitReason(first, "engine does not respond");
    Job second = fixture.submit(JobFileText.named("second"));
    fixture.awaitWaitReason(second, "engine does not respond");
    for (int i = 0; i < 10; i++) {
      fixture.advanceClock(Duration.ofMinutes(1));
    }
    assertThat(fixture.job(first).state()).isEqualTo(JobState.PREPARING);
    assertThat(fixture.job(second).state()).isEqualTo(JobState.WAITING);
    assertThat(fixture.job(second).status().attempt()).isZero();

    fixture.engine.reconnect();

    for (Job job : List.of(first, second)) {
      Job running = fixture.await(job, JobState.RUNNING);
      assertThat(running.status().attempt()).isEqualTo(1);
      assertThat(running.status().retries().past().faults()).isZero();
    }
  }

  @Test
  void absentEngine_waitingJobCanBeStopped() {
    fixture.started();
    fixture.engine.disconnect();
    Job job = fixture.submit(JobFileText.named("first"));
    fixture.awaitWaitReason(job, "engine does not respond");

    fixture.service().stop(JobFixture.ALICE, fixture.job(job));

    fixture.await(job, JobState.STOPPED);
    fixture.engine.reconnect();
    Job other = fixture.submit(JobFileText.named("other"));
    fixture.await(other, JobState.RUNNING);
  }

  @Test
  void absentEngine_isDetectedByTick() {
    fixture.started();
    fixture.engine.disconnect();
    fixture.advanceClock(Duration.ZERO);
    Job job = fixture.submit(JobFileText.named("first"));
    fixture.awaitWaitReason(job, "engine does not respond");
    fixture.engine.reconnect();
    assertThat(fixture.await(job, JobState.RUNNING).status().attempt()).isEqualTo(1);
  }
}
