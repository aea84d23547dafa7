package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.testkit.ScriptedEngine;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.Capability;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.PortRange;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.FifoPlanner;
import dev.trainyard.scheduler.Quotas;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.TemporaryDirectory;
import dev.trainyard.server.fixture.MutableClock;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobChanges;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.plugin.JobKeys;
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.secret.TestSecrets;
import dev.trainyard.server.team.JobAdmission;
import dev.trainyard.server.user.User;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A queue with all its dependencies, on a scripted engine with one node that has 8 CPUs and 2
 * devices.
 */
public final class JobFixture implements AutoCloseable {
  public static final Caller ALICE = new Caller("u1", "alice", false, "t1");
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  /** Tests trigger ticks explicitly. */
  private static final QueueSettings SETTINGS =
      new QueueSettings(Duration.ofSeconds(30), new PortRange(20_000, 20_099), Duration.ofDays(1));

  public final MutableClock clock = new MutableClock();
  public final Path data = TemporaryDirectory.create();
  public final ScriptedEngine engine = new ScriptedEngine(List.of(createNode()), clock);
  public final JobChanges changes = new JobChanges();
  public final LogStore logs = new LogStore(data);
  private final JobSecrets secrets = TestSecrets.create();
  public JobAdmission admission = JobAdmission.ALLOW_ALL;
  public final JobStore store = new JobStore(clock);
  public final AttemptStore attempts = new AttemptStore();

  /** The limits that the queue reads. */
  volatile Quotas quotas = Quotas.NONE;

  /** The cordoned nodes. */
  public volatile Set<String> cordoned = Set.of();

  /** Capabilities granted to every user. */
  final Set<Capability> capabilities = ConcurrentHashMap.newKeySet();

  /** Settings of the queue; a change takes effect at the next restart. */
  QueueSettings settings = SETTINGS;

  /** Source of images; a change takes effect at the next restart. */
  public JobImages images = JobImages.NONE;

  /** Builds images; a change takes effect at the next restart. */
  public JobBuilds builds = JobBuilds.NONE;

  private final Db db;
  private QueuePipeline pipeline;
  private JobService service;

  public JobFixture(Db db) {
    this.db = db;
    createPipeline(db, engine);
  }

  private static Node createNode() {
    return new Node(
        "box",
        8,
        DataSize.ofMegabytes(16_384),
        List.of(createDevice(0), createDevice(1)),
        Map.of(),
        new Isolation(
            Isolation.Level.PRIVATE,
            Isolation.Level.PRIVATE,
            Isolation.Level.NONE,
            Isolation.Level.PRIVATE));
  }

  private static Device createDevice(int index) {
    return new Device(
        DeviceVendor.NVIDIA,
        index,
        "a100",
        DataSize.ofMegabytes(40_960),
        List.of("/dev/nvidia" + index));
  }

  /** Creates a new server process on the same engine, without starting it. */
  void createPipeline(Db itsDb, Engine itsEngine) {
    pipeline =
        new QueuePipeline(
            itsDb,
            store,
            attempts,
            changes,
            itsEngine,
            new FifoPlanner(),
            new TaskSpecs(data, logs, DataSize.ofMegabytes(100), _ -> Map.of(), builds),
            new LaunchServices(
                job -> Optional.of(new User(job.userId(), "alice", false, false, 7, Instant.EPOCH)),
                secrets,
                images,
                builds,
                new JobKeys(data),
                logs,
                _ -> List.of(),
                (_, spec) ->
                    spec.extras().capabilities().stream()
                        .filter(one -> !capabilities.contains(one))
                        .toList()),
            () -> quotas,
            () -> cordoned,
            clock,
            settings);
    service =
        new JobService(
            db,
            store,
            attempts,
            pipeline,
            secrets,
            changes,
            JobFiles::parse,
            (handle, caller, spec, bytes) -> admission.check(handle, caller, spec, bytes),
            JobNotices.of(itsEngine),
            logs::delete,
            clock);
  }

  JobFixture restart() {
    createPipeline(db, engine);
    return this;
  }

  public JobFixture started() {
    pipeline.start();
    return this;
  }

  public QueuePipeline pipeline() {
    return pipeline;
  }

  public JobService service() {
    return service;
  }

  public Job submit(String text) {
    return service.submit(ALICE, text, false).job();
  }

  public Job job(Job seen) {
    return service.refresh(seen.id()).orElseThrow();
  }

  public TaskId task(Job job, int index) {
    return task(job, 1, index);
  }

  TaskId task(Job job, int attempt, int index) {
    String role = service.config(job).spec().roles().getFirst().name();
    return new TaskId(job.id(), attempt, role, index);
  }

  /** Advances the time of the queue. */
  void advanceClock(Duration time) {
    clock.advance(time);
    pipeline.tickNow().orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Returns the number of ports in use. */
  int assignedPortCount() {
    return db.read(
        handle -> handle.createQuery("select count(*) from port").mapTo(Integer.class).one());
  }

  /** Returns the events of a job, each as type and attempt. */
  List<String> eventTypes(Job job) {
    return db.read(
        handle ->
            handle
                .createQuery("select type, attempt from event where job_id = :job order by id")
                .bind("job", job.id().value())
                .map((rows, _) -> rows.getString(1) + " " + rows.getInt(2))
                .list());
  }

  void write(String sql) {
    db.write(handle -> handle.execute(sql));
  }

  /** Waits until an attempt of the job is running, and returns the job. */
  Job awaitAttempt(Job job, int attempt) {
    eventually(
        () -> job(job).state() == JobState.RUNNING && job(job).status().attempt() == attempt,
        "attempt " + attempt);
    return job(job);
  }

  String waitReason(Job job) {
    // Queried once per check, because the reason may disappear between two queries.
    String[] seen = {""};
    eventually(
        () -> {
          seen[0] = service.reasons(List.of(job(job))).getFirst().map(Message::english).orElse("");
          return !seen[0].isEmpty();
        },
        "a reason to wait");
    return seen[0];
  }

  /** Waits until the wait reason contains these words; other reasons may come first. */
  void awaitWaitReason(Job job, String words) {
    String[] seen = {""};
    eventually(
        () -> {
          seen[0] = waitReason(job);
          return seen[0].contains(words);
        },
        () -> "\"" + words + "\" instead of \"" + seen[0] + "\"");
  }

  public Job await(Job job, JobState state) {
    eventually(() -> job(job).state() == state, "job to become " + state);
    return job(job);
  }

  public static void eventually(BooleanSupplier condition, String what) {
    eventually(condition, () -> what);
  }

  private static void eventually(BooleanSupplier condition, Supplier<String> what) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(() -> "waited in vain for " + what.get()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Waits until the engine has no task; it may forget a task only after everything is recorded. */
  void awaitEmptyEngine() {
    eventually(() -> engine.list().isEmpty(), "the engine to be empty");
  }

  /** Ends every running task with this exit code. */
  void finishRunning(int exitCode) {
    for (TaskObservation task : engine.list()) {
      if (task.phase() == TaskObservation.Phase.RUNNING) {
        try {
          engine.finish(task.id(), exitCode);
        } catch (IllegalStateException e) {
          // It was removed in the meantime.
        }
      }
    }
  }

  @Override
  public void close() {
    pipeline.close();
    engine.close();
  }
}
