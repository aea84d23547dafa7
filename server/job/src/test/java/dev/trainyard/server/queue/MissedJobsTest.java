package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.JobState;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.db.UnknownOutcomeException;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobFileText;
import dev.trainyard.server.job.JobFilter;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MissedJobsTest {
  private final LosingAnswers db = new LosingAnswers(TestDatabase.SQLITE.create());
  private final JobFixture fixture = new JobFixture(db).started();

  /** Stores everything, and reports one write of the test itself as unknown. */
  private static final class LosingAnswers implements Db {
    private final Db db;
    private final Thread test = Thread.currentThread();
    private volatile boolean losing;
    private volatile boolean loopFails;
    private final AtomicLong lost = new AtomicLong();

    LosingAnswers(Db db) {
      this.db = db;
    }

    @Override
    public <T> T write(Transaction<T> work) {
      T result = db.write(work);
      if (losing && Thread.currentThread().equals(test)) {
        losing = false;
        lost.incrementAndGet();
        throw new UnknownOutcomeException(new IllegalStateException("cut"));
      }
      return result;
    }

    @Override
    public <T> T read(Transaction<T> work) {
      if (loopFails && Thread.currentThread().getName().equals("queue")) {
        throw new IllegalStateException("cut");
      }
      return db.read(work);
    }

    @Override
    public long unknownOutcomes() {
      return lost.get();
    }

    @Override
    public void close() {
      db.close();
    }
  }

  @AfterEach
  void close() {
    fixture.close();
    db.close();
  }

  private void passUntil(Job job, JobState state) {
    JobFixture.eventually(
        () -> {
          fixture.advanceClock(Duration.ofSeconds(5));
          return fixture.job(job).state() == state;
        },
        "job to become " + state);
  }

  @Test
  void submit_outcomeUnknown_jobIsStartedLater() {
    db.losing = true;
    assertThatThrownBy(() -> fixture.submit(JobFileText.named("lost")))
        .isInstanceOf(UnknownOutcomeException.class);
    Job stored = stored();
    assertThat(stored.state()).isEqualTo(JobState.WAITING);
    passUntil(stored, JobState.RUNNING);
  }

  @Test
  void stop_outcomeUnknown_jobIsStoppedLater() {
    Job job = fixture.submit(JobFileText.named("long"));
    passUntil(job, JobState.RUNNING);
    db.losing = true;
    assertThatThrownBy(() -> fixture.service().stop(JobFixture.ALICE, job, Optional.empty()))
        .isInstanceOf(UnknownOutcomeException.class);
    assertThat(fixture.job(job).state()).isEqualTo(JobState.STOPPING);
    JobFixture.eventually(
        () -> {
          fixture.advanceClock(Duration.ofSeconds(5));
          return !fixture.engine.stopped().isEmpty();
        },
        "the stop");
  }

  @Test
  void stop_ofWaitingJobOutcomeUnknown_jobLeavesQueue() {
    fixture.cordoned = Set.of("box");
    fixture.advanceClock(Duration.ofSeconds(5));
    Job job = fixture.submit(JobFileText.named("waits"));
    JobFixture.eventually(() -> fixture.pipeline().depth() == 1, "the job to wait");
    db.losing = true;
    assertThatThrownBy(() -> fixture.service().stop(JobFixture.ALICE, job, Optional.empty()))
        .isInstanceOf(UnknownOutcomeException.class);
    assertThat(fixture.job(job).state()).isEqualTo(JobState.STOPPED);
    JobFixture.eventually(
        () -> {
          fixture.advanceClock(Duration.ofSeconds(5));
          return fixture.pipeline().depth() == 0;
        },
        "the queue to be empty");
  }

  @Test
  void submitted_afterJobWasFound_runningAttemptIsKept() {
    db.losing = true;
    assertThatThrownBy(() -> fixture.submit(JobFileText.named("late")))
        .isInstanceOf(UnknownOutcomeException.class);
    Job stored = stored();
    passUntil(stored, JobState.RUNNING);
    notifyWhileReadsFail(stored);
    db.loopFails = false;
    fixture.advanceClock(Duration.ofSeconds(5));
    fixture.engine.finish(fixture.task(stored, 0), 0);
    fixture.await(stored, JobState.SUCCEEDED);
  }

  @Test
  void read_fails_attemptIsKept() {
    Job job = fixture.submit(JobFileText.named("kept"));
    fixture.await(job, JobState.RUNNING);
    notifyWhileReadsFail(fixture.job(job));
  }

  /** Reports the job to the queue in the state that the test has seen. */
  private void notifyWhileReadsFail(Job seen) {
    QueuedJob queued =
        QueuedJob.of(seen.id(), seen.userName(), fixture.service().config(seen).spec());
    db.loopFails = true;
    fixture.pipeline().submitted(queued, seen.status());
    fixture.advanceClock(Duration.ofSeconds(5));
    assertThat(fixture.pipeline().placements()).containsKey(seen.id());
  }

  private Job stored() {
    return fixture
        .service()
        .list(
            JobFixture.ALICE,
            Optional.empty(),
            new JobFilter(Optional.empty(), Set.of(), "", Optional.empty(), 10))
        .jobs()
        .getFirst();
  }
}
