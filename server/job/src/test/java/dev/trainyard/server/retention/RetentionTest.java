package dev.trainyard.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.log.LogRemovalStore;
import dev.trainyard.server.log.LogStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@EveryDatabase
class RetentionTest {
  private static final DataSize LOG_LIMIT = DataSize.ofMegabytes(1);

  @TempDir private Path data;
  private final MutableClock clock = new MutableClock();
  private final Ulid ids = new Ulid(clock);
  private final Db db;
  private final LogRemovalStore removals;
  private boolean settled = true;

  RetentionTest(Db db) {
    this.db = db;
    this.removals = new LogRemovalStore(db);
  }

  private JobId job(String state, Duration age) throws IOException {
    JobId id = new JobId(ids.next());
    db.write(
        handle ->
            handle.execute(
                "insert into job (id, version, user_id, user_name, name, state, format, image,"
                    + " virtual_cluster, cpus, memory_mb, devices, task_count, attempt, submitted,"
                    + " ended) values (?, 1, 'u', 'u', ?, ?, 'openpai-v1', 'i', 'v', 1, 1, 0, 1, 1,"
                    + " 1, "
                    + (age == null ? "null" : clock.instant().minus(age).toEpochMilli())
                    + ")",
                id.value(),
                id.value(),
                state));
    Path log = data.resolve("logs").resolve(id.value()).resolve("1/main/0");
    Files.createDirectories(log);
    Files.writeString(log.resolve("stdout"), "x".repeat(100));
    Path output = Files.createDirectories(data.resolve("jobs").resolve(id.value()));
    Files.writeString(output.resolve("saved"), "y");
    return id;
  }

  private Retention retention(RetentionPolicy policy) {
    LogStore logs = new LogStore(data, LOG_LIMIT);
    return new Retention(
        db,
        logs,
        removals,
        id -> {
          TreeDeleter.delete(data.resolve("jobs").resolve(id.value()));
          logs.delete(id);
        },
        policy,
        clock,
        () -> settled);
  }

  private static RetentionPolicy policy(Integer jobDays, Integer logDays, Long size) {
    return new RetentionPolicy(
        Optional.ofNullable(jobDays).map(Duration::ofDays),
        Optional.ofNullable(logDays).map(Duration::ofDays),
        Optional.ofNullable(size).map(DataSize::new));
  }

  private boolean isKnown(JobId id) {
    return db.read(
        handle ->
            handle
                .createQuery("select 1 from job where id = :id")
                .bind("id", id.value())
                .mapTo(Integer.class)
                .findOne()
                .isPresent());
  }

  private boolean hasLogs(JobId id) {
    return Files.exists(data.resolve("logs").resolve(id.value()));
  }

  @Test
  void sweep_sparseLog_countedByDiskUsage() throws IOException {
    JobId old = job("SUCCEEDED", Duration.ofDays(2));
    JobId sparse = job("SUCCEEDED", Duration.ofDays(1));
    Path log = data.resolve("logs").resolve(sparse.value()).resolve("1/main/0/stdout");
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    assertThat(retention(policy(null, null, 4L << 20)).sweep())
        .isEqualTo(new Retention.Removed(0, 0, 0));
    assertThat(List.of(hasLogs(old), hasLogs(sparse))).containsExactly(true, true);
  }

  @Test
  void sweep_oldJobs_areDeletedWithFiles() throws IOException {
    JobId old = job("FAILED", Duration.ofDays(91));
    JobId young = job("SUCCEEDED", Duration.ofDays(89));
    JobId running = job("RUNNING", null);
    Retention retention = retention(policy(90, null, null));
    assertThat(retention.preview()).isEqualTo(new Retention.Removed(1, 0, 0));
    assertThat(retention.sweep()).isEqualTo(new Retention.Removed(1, 0, 0));
    assertThat(List.of(isKnown(old), isKnown(young), isKnown(running)))
        .containsExactly(false, true, true);
    assertThat(data.resolve("jobs").resolve(old.value())).doesNotExist();
    assertThat(List.of(hasLogs(old), hasLogs(young), hasLogs(running)))
        .containsExactly(false, true, true);
    assertThat(retention.sweep()).isEqualTo(new Retention.Removed(0, 0, 0));
  }

  @Test
  void sweep_manyOldJobs_areDeletedInBatches() throws IOException {
    for (int i = 0; i < 450; i++) {
      job("STOPPED", Duration.ofDays(100 + i));
    }
    assertThat(retention(policy(90, null, null)).sweep().jobs()).isEqualTo(450);
  }

  @Test
  void sweep_oldLogs_areDeletedAndDateIsReported() throws IOException {
    JobId old = job("SUCCEEDED", Duration.ofDays(31));
    JobId young = job("SUCCEEDED", Duration.ofDays(29));
    Retention retention = retention(policy(null, 30, null));
    assertThat(retention.preview()).isEqualTo(new Retention.Removed(0, 1, 100));
    assertThat(hasLogs(old)).isTrue();
    assertThat(retention.sweep()).isEqualTo(new Retention.Removed(0, 1, 100));
    assertThat(isKnown(old)).isTrue();
    assertThat(hasLogs(old)).isFalse();
    assertThat(data.resolve("jobs").resolve(old.value()).resolve("saved")).exists();
    assertThat(removals.find(old)).contains(clock.instant());
    assertThat(removals.find(young)).isEmpty();
    assertThat(hasLogs(young)).isTrue();
  }

  @Test
  void sweep_logsTooLarge_oldestAreDeletedAndRunningKept() throws IOException {
    JobId running = job("RUNNING", null);
    JobId oldest = job("FAILED", Duration.ofDays(5));
    JobId newer = job("FAILED", Duration.ofDays(4));
    retention(policy(null, null, 200L)).sweep();
    assertThat(List.of(hasLogs(running), hasLogs(oldest), hasLogs(newer)))
        .containsExactly(true, false, true);
  }

  @Test
  void sweep_interruptedBeforeDeletion_isCompletedNextTime() throws IOException {
    JobId job = job("FAILED", Duration.ofDays(5));
    assertThat(removals.begin(job, 100, clock.instant())).isTrue();
    assertThat(removals.unfinished()).containsExactly(job);
    retention(policy(null, null, null)).sweep();
    assertThat(hasLogs(job)).isFalse();
    assertThat(removals.unfinished()).isEmpty();
  }

  @Test
  void begin_unfinishedJob_isUnchanged() throws IOException {
    assertThat(removals.begin(job("RUNNING", null), 1, clock.instant())).isFalse();
    assertThat(removals.begin(new JobId(ids.next()), 1, clock.instant())).isFalse();
  }

  @Test
  void sweep_closed_returnsEarly() throws IOException {
    for (int i = 0; i < 10; i++) {
      job("STOPPED", Duration.ofDays(100 + i));
    }
    AtomicInteger deleted = new AtomicInteger();
    Retention[] itself = new Retention[1];
    itself[0] =
        new Retention(
            db,
            new LogStore(data),
            removals,
            id -> {
              if (deleted.incrementAndGet() == 3) {
                itself[0].close();
              }
            },
            policy(90, null, null),
            clock,
            () -> true);
    assertThat(itself[0].sweep().jobs()).isEqualTo(3);
  }

  @Test
  void sweep_clockChanged_deletesNothing() throws IOException {
    JobId old = job("FAILED", Duration.ofDays(1_000));
    settled = false;
    Retention retention = retention(policy(1, 1, 1L));
    assertThat(retention.sweep()).isEqualTo(new Retention.Removed(0, 0, 0));
    assertThat(retention.mayDelete()).isFalse();
    assertThat(hasLogs(old)).isTrue();
  }
}
