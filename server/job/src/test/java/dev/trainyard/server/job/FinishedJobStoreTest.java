package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@EveryDatabase
class FinishedJobStoreTest {
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_123L);
  private static final StopRequest STOP =
      new StopRequest(StopCause.USER, Optional.of("admin"), Optional.empty());

  private final Db db;
  private final JobStore store = new JobStore(InstantSource.system());
  private final Ulid ids = new Ulid(InstantSource.fixed(NOW));

  FinishedJobStoreTest(Db db) {
    this.db = db;
  }

  private Map<JobState, Long> loadCounts() {
    return db.read(FinishedJobStore::load);
  }

  @Test
  void load_countsEachFinalState() {
    assertThat(loadCounts())
        .isEqualTo(Map.of(JobState.SUCCEEDED, 0L, JobState.FAILED, 0L, JobState.STOPPED, 0L));
    for (JobState state : List.of(JobState.FAILED, JobState.SUCCEEDED, JobState.FAILED)) {
      db.write(
          handle -> {
            FinishedJobStore.add(handle, new JobId(ids.next()), state);
            return null;
          });
    }
    assertThat(loadCounts())
        .isEqualTo(Map.of(JobState.SUCCEEDED, 1L, JobState.FAILED, 2L, JobState.STOPPED, 0L));
  }

  @Test
  void load_manyJobs_sumOfSeveralRows() {
    db.write(
        handle ->
            handle.execute(
                "insert into counter (name, next_value) values ('finished_jobs_failed', 7)"));
    for (int i = 0; i < 50; i++) {
      db.write(
          handle -> {
            FinishedJobStore.add(handle, new JobId(ids.next()), JobState.FAILED);
            return null;
          });
    }
    assertThat(loadCounts())
        .isEqualTo(Map.of(JobState.SUCCEEDED, 0L, JobState.FAILED, 57L, JobState.STOPPED, 0L));
    long rows =
        db.read(
            handle ->
                handle
                    .createQuery("select count(*) from counter where name like 'finished%'")
                    .mapTo(Long.class)
                    .one());
    assertThat(rows).isGreaterThan(10).isLessThanOrEqualTo(1 + FinishedJobStore.ROWS_PER_STATE);
  }

  @Test
  void change_toFinalState_countedOnceAndKeptAfterDeletion() {
    JobSpec spec = JobFiles.parse(JobFileText.of("one", "w", 1, 1, 1, "")).spec().orElseThrow();
    Job job = Job.submitted(new JobId(ids.next()), "u1", "alice", spec, NOW);
    db.write(handle -> store.insert(handle, job, new JobConfig("raw", spec, List.of())));
    assertThat(loadCounts()).containsEntry(JobState.STOPPED, 0L);
    JobStatus stopped = job.status().stoppedWaiting(STOP, Message.of("end.stopped"), NOW);
    assertThat(db.<Optional<Job>>write(handle -> store.change(handle, job, stopped))).isPresent();
    assertThat(db.<Optional<Job>>write(handle -> store.change(handle, job, stopped))).isEmpty();
    assertThat(loadCounts()).containsEntry(JobState.STOPPED, 1L);

    db.write(handle -> handle.execute("delete from job"));
    assertThat(loadCounts()).containsEntry(JobState.STOPPED, 1L);
  }
}
