package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TestDatabase;
import dev.trainyard.server.queue.JobFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobControlTest {
  /** Reports the first job of a batch as changed by another transaction. */
  private record LosingRace(Db db) implements Db {
    @Override
    @SuppressWarnings("unchecked")
    public <T> T write(Transaction<T> work) {
      T result = db.write(work);
      if (result instanceof List<?> batch) {
        List<Object> changed = new ArrayList<>(batch);
        changed.set(0, Optional.empty());
        return (T) changed;
      }
      return result;
    }

    @Override
    public <T> T read(Transaction<T> work) {
      return db.read(work);
    }

    @Override
    public void close() {
      db.close();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StopCause.class,
      names = {"PAUSE", "RETRY", "PREEMPTION"})
  void stop_whileTheAttemptEndsForAnotherCause_endsTheJob(StopCause earlier) {
    try (Db db = TestDatabase.SQLITE.create();
        JobFixture fixture = new JobFixture(db).started()) {
      Job job = fixture.await(fixture.submit(JobFileText.named("first")), JobState.RUNNING);
      db.write(
          handle ->
              fixture.store.change(
                  handle, job, job.status().stopping(StopRequest.ofPlatform(earlier))));

      Job stopping = fixture.service().stop(JobFixture.ALICE, fixture.job(job));

      assertThat(stopping.status().stopCause()).contains(StopCause.USER);
      fixture.engine.finish(fixture.task(job, 0), 143);
      fixture.await(job, JobState.STOPPED);
    }
  }

  @Test
  void stopAll_oneIsRejected_queueIsNotifiedOfTheOthers() {
    try (Db db = TestDatabase.SQLITE.create();
        JobFixture fixture = new JobFixture(db)) {
      Job first = fixture.submit(JobFileText.named("first"));
      Job second = fixture.submit(JobFileText.named("second"));
      SilentQueue queue = new SilentQueue();
      JobControl control =
          new JobControl(
              new LosingRace(db),
              fixture.store,
              fixture.attempts,
              queue,
              fixture.changes,
              fixture.clock);

      List<JobControl.StopResult> stopped =
          control.stopAll(JobFixture.ALICE, List.of(first, second), Optional.empty());

      assertThat(stopped).hasSize(2);
      assertThat(stopped.get(0).rejection()).isPresent();
      assertThat(stopped.get(1).rejection()).isEmpty();
      assertThat(queue.stopped).containsExactly(second.id());
      assertThat(fixture.job(second).state()).isEqualTo(JobState.STOPPED);
    }
  }
}
