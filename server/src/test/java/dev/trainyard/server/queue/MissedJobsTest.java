package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.JobState;
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
  private final JobWorld world = new JobWorld(db).started();

  /** Stores everything, and reports one write of the test itself as unknown. */
  private static final class LosingAnswers implements Db {
    private final Db db;
    private final Thread test = Thread.currentThread();
    private volatile boolean losing;
    private final AtomicLong lost = new AtomicLong();

    LosingAnswers(Db db) {
      this.db = db;
    }

    @Override
    public <T> T write(Work<T> work) {
      T result = db.write(work);
      if (losing && Thread.currentThread().equals(test)) {
        losing = false;
        lost.incrementAndGet();
        throw new UnknownOutcomeException(new IllegalStateException("cut"));
      }
      return result;
    }

    @Override
    public <T> T read(Work<T> work) {
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
    world.close();
    db.close();
  }

  private void passUntil(Job job, JobState state) {
    JobWorld.eventually(
        () -> {
          world.pass(Duration.ofSeconds(5));
          return world.job(job).state() == state;
        },
        "job to become " + state);
  }

  @Test
  void submit_outcomeUnknown_jobIsStartedLater() {
    db.losing = true;
    assertThatThrownBy(() -> world.submit(JobFileText.named("lost")))
        .isInstanceOf(UnknownOutcomeException.class);
    Job stored = stored();
    assertThat(stored.state()).isEqualTo(JobState.WAITING);
    passUntil(stored, JobState.RUNNING);
  }

  @Test
  void stop_outcomeUnknown_jobIsStoppedLater() {
    Job job = world.submit(JobFileText.named("long"));
    passUntil(job, JobState.RUNNING);
    db.losing = true;
    assertThatThrownBy(() -> world.service().stop(JobWorld.ALICE, job, Optional.empty()))
        .isInstanceOf(UnknownOutcomeException.class);
    assertThat(world.job(job).state()).isEqualTo(JobState.STOPPING);
    JobWorld.eventually(
        () -> {
          world.pass(Duration.ofSeconds(5));
          return !world.engine.stopped().isEmpty();
        },
        "the stop");
  }

  private Job stored() {
    return world
        .service()
        .list(
            JobWorld.ALICE,
            Optional.empty(),
            new JobFilter(Optional.empty(), Set.of(), "", Optional.empty(), 10))
        .jobs()
        .getFirst();
  }
}
