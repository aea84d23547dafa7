package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskState;
import dev.trainyard.model.Ulid;
import dev.trainyard.model.diagnosis.Diagnosis;
import dev.trainyard.model.diagnosis.Exit;
import dev.trainyard.model.diagnosis.LogLine;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import dev.trainyard.server.db.StoredMessage;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

@EveryDatabase
class JobStoreTest {
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_123L);

  private static final StopRequest ORDER =
      new StopRequest(StopCause.USER, Optional.of("admin"), Optional.of(Duration.ofMillis(1_500)));
  private static final TaskPorts PORTS =
      new TaskPorts(Map.of("http", List.of(20_000), "grpc-x", List.of(1, 65_535)));

  private final Db db;
  private final JobStore store = new JobStore(InstantSource.system());
  private final AttemptStore attempts = new AttemptStore();
  private final Ulid ids = new Ulid(InstantSource.fixed(NOW));

  JobStoreTest(Db db) {
    this.db = db;
  }

  private Job storeJob(String name) {
    JobSpec spec = spec(name);
    Job job = Job.submitted(new JobId(ids.next()), "u1", "alice", spec, NOW);
    JobConfig config =
        new JobConfig(
            "raw " + name,
            spec,
            List.of(new Problem("a[0]", Message.of("jobfile.later", "name", 1), 2, 3)));
    assertThat(db.<Boolean>write(handle -> store.insert(handle, job, config))).isTrue();
    return job;
  }

  private static JobSpec spec(String name) {
    return JobFiles.parse(
            JobFileText.of(name, "w", 3, 2, 1, "\"jobEnvs\": {\"B\": \"1\", \"A\": \"2\"},"))
        .spec()
        .orElseThrow();
  }

  private Job reload(JobId id) {
    return db.read(handle -> store.find(handle, id)).orElseThrow();
  }

  @Test
  void find_storedJob_isEqual() {
    Job job = storeJob("one");
    assertThat(reload(job.id())).isEqualTo(job);
    assertThat(job.cpus()).isEqualTo(6);
    assertThat(job.devices()).isEqualTo(3);
  }

  @Test
  void findConfig_storedConfig_isEqual() {
    Job job = storeJob("one");
    JobConfig config = db.read(handle -> store.findConfig(handle, job.id())).orElseThrow();
    assertThat(config.raw()).isEqualTo("raw one");
    assertThat(config.spec()).isEqualTo(spec("one"));
    assertThat(config.spec().environment().keySet()).containsExactly("B", "A");
    assertThat(config.warnings()).hasSize(1);
    assertThat(config.warnings().getFirst().message().params()).containsEntry("name", 1);
  }

  @Test
  void storedJson_longNamesAndNumbers_areRead() {
    String name = "k".repeat(60_000);
    assertThat(StoredJson.counts(StoredJson.write(Map.of(name, 1)))).containsOnlyKeys(name);
    Message message = Message.of("a").with(name, new BigInteger("1".repeat(2_000)));
    assertThat(StoredMessage.read("a", StoredMessage.params(message))).isEqualTo(message);
  }

  @Test
  void insert_nameTaken() {
    storeJob("one");
    Job twin = Job.submitted(new JobId(ids.next()), "u1", "alice", spec("one"), NOW);
    JobConfig config = new JobConfig("", spec("one"), List.of());
    assertThat(db.<Boolean>write(handle -> store.insert(handle, twin, config))).isFalse();
    assertThat(db.<Optional<Job>>read(handle -> store.find(handle, twin.id()))).isEmpty();
  }

  @Test
  void change_everyField_isStored() {
    Job job = storeJob("one");
    Job preparing = change(job, job.status().preparing());
    Job running = change(preparing, preparing.status().running(NOW));
    Job stopping = change(running, running.status().stopping(ORDER));
    Job ended =
        change(
            stopping,
            stopping
                .status()
                .ended(
                    JobState.STOPPED,
                    OptionalInt.of(143),
                    Optional.of(Message.of("end.stopped-by", "user", "admin")),
                    NOW));
    assertThat(reload(job.id())).isEqualTo(ended);
    assertThat(ended.status().attempt()).isEqualTo(1);
    assertThat(ended.status().version()).isEqualTo(5);
  }

  private Job change(Job from, JobStatus to) {
    return db.write(handle -> store.change(handle, from, to)).orElseThrow();
  }

  @Test
  void change_staleVersion_hasNoEffect() {
    Job job = storeJob("one");
    change(job, job.status().preparing());
    JobStatus staleStatus = job.status().stoppedWaiting(ORDER, Message.of("end.stopped"), NOW);
    assertThat(db.<Optional<Job>>write(handle -> store.change(handle, job, staleStatus))).isEmpty();
    assertThat(reload(job.id()).state()).isEqualTo(JobState.PREPARING);
  }

  @Test
  void change_impossibleState_rejected() {
    Job job = storeJob("one");
    assertThatThrownBy(() -> change(job, job.status().running(NOW)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void forEachQueuedOrActive_isOldestFirst() {
    Job first = storeJob("one");
    Job second = storeJob("two");
    Job third = storeJob("three");
    change(third, third.status().preparing());
    change(second, second.status().stoppedWaiting(ORDER, Message.of("end.stopped"), NOW));
    List<JobId> found = new ArrayList<>();
    db.read(
        handle -> {
          store.forEachQueuedOrActive(handle, unfinished -> found.add(unfinished.job().id()));
          return 0;
        });
    assertThat(found).containsExactly(first.id(), third.id());
    assertThat(db.<Integer>read(handle -> store.countUnfinished(handle, "u1"))).isEqualTo(2);
    assertThat(db.<Integer>read(handle -> store.countUnfinished(handle, "u2"))).isZero();
    assertThat(db.<Map<JobState, Long>>read(store::countUnfinished))
        .containsExactly(Map.entry(JobState.WAITING, 1L), Map.entry(JobState.PREPARING, 1L));
  }

  @Test
  void forEachQueuedOrActive_severalPages_returnsAll() {
    List<JobId> stored = new ArrayList<>();
    for (int i = 0; i < 503; i++) {
      stored.add(storeJob("job-" + i).id());
    }
    List<JobId> found = new ArrayList<>();
    db.read(
        handle -> {
          store.forEachQueuedOrActive(handle, unfinished -> found.add(unfinished.job().id()));
          return 0;
        });
    assertThat(found).isEqualTo(stored);
  }

  @Test
  void attempts_lifeCycleOfTask() {
    Job job = storeJob("one");
    TaskId zero = new TaskId(job.id(), 1, "w", 0);
    TaskId one = new TaskId(job.id(), 1, "w", 1);
    TaskEnd end = new TaskEnd(7, ExitReason.COMMAND_FAILED, "why", NOW);
    db.write(
        handle -> {
          attempts.insert(
              handle,
              job.with(job.status().preparing()),
              List.of(
                  Task.assigned(zero, "box", "process", List.of(), PORTS),
                  Task.assigned(one, "box", "docker", List.of(0, 3), TaskPorts.NONE)),
              NOW);
          attempts.recordStarts(
              handle, job.id(), 1, Map.of(zero, "10.0.0.1", one, "10.0.0.2"), NOW);
          attempts.recordEnds(handle, List.of(new AttemptStore.EndedTask(one, end, 1)));
          TaskEnd later = new TaskEnd(0, ExitReason.SUCCEEDED, "", NOW);
          attempts.recordEnds(handle, List.of(new AttemptStore.EndedTask(one, later, 2)));
          attempts.markStopping(handle, job.id(), 1);
          return 0;
        });
    assertThat(db.<List<Task>>read(handle -> attempts.list(handle, job.id(), 1)))
        .containsExactly(
            new Task(
                one,
                TaskState.ENDED,
                "box",
                "docker",
                List.of(0, 3),
                TaskPorts.NONE,
                Optional.of("10.0.0.2"),
                Optional.of(NOW),
                Optional.of(end)),
            new Task(
                zero,
                TaskState.STOPPING,
                "box",
                "process",
                List.of(),
                PORTS,
                Optional.of("10.0.0.1"),
                Optional.of(NOW),
                Optional.empty()));
    assertThat(db.<Optional<Task>>read(handle -> attempts.find(handle, zero))).isPresent();
    assertThat(
            db.<Optional<Task>>read(
                handle -> attempts.find(handle, new TaskId(job.id(), 2, "w", 0))))
        .isEmpty();
  }

  @Test
  void attempts_decided() {
    Job job = storeJob("one");
    AttemptEnd end =
        new AttemptEnd(
            false,
            OptionalInt.of(7),
            Optional.of(Message.of("end.exit-code", "exitCode", 7)),
            Optional.of(
                new TaskDiagnosis(
                    "w",
                    3,
                    new Diagnosis(
                        Exit.PYTHON_IMPORT,
                        List.of(new LogLine("stderr", 12, 0, "ImportError: 训练 \ud83d\ude00"))),
                    false)));
    db.write(
        handle -> {
          attempts.insert(handle, job.with(job.status().preparing()), List.of(), NOW);
          return 0;
        });
    assertThat(newestAttempt(job).end()).isEmpty();
    db.write(
        handle -> {
          attempts.storeOutcome(handle, job.id(), 1, end, Optional.of(ORDER), Optional.of(NOW));
          return 0;
        });
    assertThat(newestAttempt(job))
        .isEqualTo(
            new Attempt(
                1,
                AttemptCause.FIRST,
                NOW,
                Optional.empty(),
                Optional.of(NOW),
                Optional.of(end),
                Optional.of(StopCause.USER),
                Optional.of("admin")));
  }

  @Test
  void attempts_diagnosisOfNewerVersion_isOmitted() {
    Job job = storeJob("one");
    AttemptEnd end =
        new AttemptEnd(
            false,
            OptionalInt.of(7),
            Optional.empty(),
            Optional.of(
                new TaskDiagnosis("w", 3, new Diagnosis(Exit.PYTHON_IMPORT, List.of()), true)));
    db.write(
        handle -> {
          attempts.insert(handle, job.with(job.status().preparing()), List.of(), NOW);
          attempts.storeOutcome(handle, job.id(), 1, end, Optional.empty(), Optional.of(NOW));
          return handle.execute(
              "update attempt set diagnosis = replace(diagnosis, 'PYTHON_IMPORT', 'QUANTUM')");
        });
    assertThat(newestAttempt(job).end().orElseThrow().diagnosis()).isEmpty();
  }

  private Attempt newestAttempt(Job job) {
    return db.<List<Attempt>>read(handle -> attempts.listAttempts(handle, job.id(), 99, 1))
        .getFirst();
  }

  @Test
  void change_backToTheQueue() {
    Job job = storeJob("one");
    Job preparing = change(job, job.status().preparing());
    var again =
        new RetryRule.Verdict.Retry(
            AttemptCause.PLATFORM_FAULT,
            new RetryRule.Past(4, 3, 2, Map.of("w-1", 5)),
            Duration.ofSeconds(10));
    Message cause = Message.of("end.exit-code", "exitCode", 7);
    Job waiting = change(preparing, preparing.status().retryLater(again, Optional.of(cause), NOW));
    assertThat(reload(job.id())).isEqualTo(waiting);
    assertThat(waiting.status().retries().notBefore(NOW)).contains(NOW.plusSeconds(10));
    assertThat(waiting.status().retries().notBefore(NOW.minusSeconds(3600)))
        .as("an hour earlier, because the clock was set back")
        .contains(NOW.minusSeconds(3590));
    assertThat(reload(job.id()).status().reason()).contains(cause);
    assertThat(waiting.status().preparing().reason()).isEmpty();
  }

  @Test
  void reason_detailOfAnEarlierRelease_isText() {
    Job job = storeJob("one");
    Message reason = Message.of("end.start-failed", "detail", "no space");
    change(job, job.status().ended(JobState.FAILED, OptionalInt.empty(), Optional.of(reason), NOW));
    assertThat(reload(job.id()).status().reason().orElseThrow().english())
        .isEqualTo("failed to start: no space");
  }

  @Test
  void reason_nestedMessage() {
    Job job = storeJob("one");
    Message inner = Message.of("end.exit-code", "exitCode", 7);
    Message reason = Message.of("end.hopeless", "faults", 10).with("last", inner);
    change(job, job.status().ended(JobState.FAILED, OptionalInt.empty(), Optional.of(reason), NOW));
    assertThat(reload(job.id()).status().reason().orElseThrow().english())
        .endsWith("the last one: exited with code 7");
  }
}
