package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.Plan;
import dev.trainyard.scheduler.Planner;
import dev.trainyard.scheduler.QueueEvent;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.scheduler.Quotas;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.scheduler.UsageSnapshot;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.event.EventStore;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobChanges;
import dev.trainyard.server.job.JobQueue;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.PreviousRun;
import dev.trainyard.server.job.PreviousRunStore;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.user.User;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings jobs from the queue to the engine and their ends back to the database. One thread, the
 * loop, takes what happened from an inbox, folds it into the planner and carries out its plans; all
 * that may be slow runs as steps of an {@link AttemptRun}.
 *
 * <p>The server may die between any two instructions. No task runs twice and none is lost, because:
 *
 * <ol>
 *   <li>A job is WAITING in the database before anybody hears of it. If the server dies before the
 *       loop does, {@link #start} finds the job.
 *   <li>A plan is written down first: PREPARING, the attempt, its tasks and their ports, in one
 *       transaction that holds only if the job is still what was planned for. Two lives of the
 *       server can't both write it, and a task id exists from here on. Nothing has run.
 *   <li>{@code reserve} of all and then {@code start} of all come after that. Both do nothing when
 *       repeated as long as the engine knows the task, and {@code reserve} answers the same
 *       address. So a PREPARING job is simply launched again by the next life: a task that already
 *       runs, or has already ended, is not started anew.
 *   <li>RUNNING is written after every task was started. It is information for people, and says to
 *       the next life that a task unknown to the engine is lost, not unborn. A job without a gang
 *       goes 2 and 3 again with more tasks; of those, one whose start is not written is unborn. One
 *       that failed and is tried again alone goes there too, under another id: that its end counts
 *       for nothing but its next run is written with the end.
 *   <li>The engine keeps the end of a task until it is removed, and it is removed only after the
 *       end, that its ports are free, and what follows for the job were written in one transaction.
 *       An end that nobody wrote down is found by {@code list} of the next life. This is why 3 is
 *       safe: the engine forgets a task only when its attempt is no longer PREPARING.
 *   <li>What follows for the job is its last state, PAUSED, or WAITING for another attempt, which
 *       then goes its way from 1 under other task ids. No two attempts of a job run at once: an
 *       attempt is over when the end of each of its tasks is written, and an end is written only of
 *       a task that has ended or was never started.
 *   <li>A task whose job is over or at a later attempt, or that no job knows, is removed by the
 *       next life: the server died between 5 and the removal.
 *   <li>Whoever stops or pauses a job writes STOPPING (or at once the last state or PAUSED for one
 *       that waits) first. A life that finds STOPPING stops the tasks again and starts none. The
 *       launch looks for the wish to stop before it starts anything, and the stop comes after the
 *       launch, so the task is stopped if it runs.
 *   <li>When a job may be tried again is part of 6, so a life that finds it WAITING waits for what
 *       is left of that time.
 *   <li>The planner gets the resources back after 5, the next job the ports. If that is lost, the
 *       next life counts anew.
 * </ol>
 */
public final class QueuePipeline implements JobQueue, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueuePipeline.class);
  private static final int BATCH = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Db db;
  private final JobStore jobs;
  private final AttemptStore attempts;
  private final Engine engine;
  private final InstantSource clock;
  private final QueueSettings settings;
  private final SynchronizedPlanner planner;
  private final QueueContext context;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("job-", 0).factory());
  private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
  private final Thread loop;
  private volatile boolean closed;
  private volatile List<Node> nodes = List.of();

  // Of the loop only, but some may be looked at by others.
  private final WaitingJobs room;
  private final Map<JobId, AttemptRun> runs = new HashMap<>();
  private final Allocations allocations;

  /** Jobs that changed while the queue was busy with them. */
  private final Set<JobId> lookAgain = new HashSet<>();

  private final Reconciliation reconciliation;
  private final WaitReasonRecorder waits;
  private final MissedJobs missed;
  private final PlannerConstraints rules;

  /**
   * @param owners finds whose a job is
   * @param quotas reads the limits of now
   */
  public QueuePipeline(
      Db db,
      JobStore jobs,
      AttemptStore attempts,
      JobChanges changes,
      Engine engine,
      Planner planner,
      TaskSpecs specs,
      JobSecrets secrets,
      Function<Job, Optional<User>> owners,
      Supplier<Quotas> quotas,
      Supplier<Set<String>> cordoned,
      InstantSource clock,
      QueueSettings settings) {
    this.db = db;
    this.jobs = jobs;
    this.attempts = attempts;
    this.engine = engine;
    this.clock = clock;
    this.settings = settings;
    this.planner = new SynchronizedPlanner(planner);
    this.allocations = new Allocations(this.planner);
    RetryingDb retryingDb = new RetryingDb(db, () -> closed);
    this.context =
        new QueueContext(
            retryingDb,
            jobs,
            new AttemptRecords(retryingDb, jobs, attempts, changes, engine.name(), clock),
            engine,
            new PortAllocator(settings.ports(), engine, clock),
            specs,
            secrets,
            new FailureDiagnoser(specs.logs()),
            owners,
            () -> nodes,
            clock,
            settings,
            threads,
            new EngineWatch(engine, threads, () -> inbox.add(this::engineReturned)),
            new Reports());
    this.room = new WaitingJobs(this.planner, context.watch(), clock);
    this.waits = new WaitReasonRecorder(context, room, new EventStore(), clock);
    this.rules = new PlannerConstraints(this.planner, room, quotas, cordoned, threads, inbox::add);
    this.reconciliation = new Reconciliation(engine, context.watch(), threads, inbox::add, runs);
    this.missed = new MissedJobs(context, db, room, runs, inbox::add, this::dropped);
    this.loop = Thread.ofPlatform().name("queue").unstarted(this::loop);
  }

  private final class Reports implements QueueContext.Outcomes {
    @Override
    public void dropped(JobId job) {
      inbox.add(() -> QueuePipeline.this.dropped(job));
    }

    @Override
    public void held(WaitingJob waitingJob, PortAllocator.Choice.Missing missing) {
      inbox.add(() -> QueuePipeline.this.held(waitingJob, missing));
    }

    @Override
    public void freed(QueuedJob job, List<Task> tasks, List<TaskId> again) {
      inbox.add(() -> QueuePipeline.this.freed(job, tasks, again));
    }

    @Override
    public void noMore(JobId job) {
      inbox.add(
          () -> {
            planner.apply(new QueueEvent.PlacementEnded(job));
            room.machinesChanged();
          });
    }

    @Override
    public void over(QueuedJob queued, Job job, int attempt, List<Task> tasks) {
      inbox.add(() -> QueuePipeline.this.over(queued, job, attempt, tasks));
    }
  }

  /** Takes up what an earlier life of the server left, then begins to work. */
  public void start() {
    nodes = List.copyOf(engine.nodes());
    planner.apply(new QueueEvent.NodesChanged(nodes));
    planner.apply(new QueueEvent.PortLimitChanged(settings.ports().mostPerJob()));
    rules.read();
    // Before the list, so that nothing happens unseen between the two.
    engine.watch(observation -> inbox.add(() -> reconciliation.observed(observation)));
    List<TaskObservation> listed = engine.list();
    Set<TaskId> known = Reconciliation.ids(listed);
    List<JobStore.Unfinished> begun = jobs.loadQueue(db, found -> takeUp(found, known));
    List<TaskId> running = new ArrayList<>();
    for (JobStore.Unfinished found : begun) {
      running.addAll(takeUp(found, known));
    }
    inbox.add(() -> reconciliation.compare(running, listed));
    loop.start();
    int jobCount = room.size() + begun.size();
    if (jobCount > 0 || !listed.isEmpty()) {
      LOG.info("took up {} jobs; the engine has {} tasks", jobCount, listed.size());
    }
  }

  /** Returns tasks that the engine must have. */
  private List<TaskId> takeUp(JobStore.Unfinished found, Set<TaskId> known) {
    Job job = found.job();
    JobSpec spec = found.spec();
    QueuedJob queued = QueuedJob.of(job.id(), job.userName(), spec);
    if (job.state() == JobState.WAITING) {
      room.enter(queued, job.status());
    } else if (job.state().holdsResources()) {
      int attempt = job.status().attempt();
      List<Task> tasks =
          context.retryingDb().read(handle -> attempts.list(handle, job.id(), attempt));
      List<PreviousRun> earlier =
          queued.gang()
              ? List.of()
              : context
                  .retryingDb()
                  .read(handle -> PreviousRunStore.newest(handle, job.id(), attempt));
      allocations.add(queued, Allocations.places(spec, tasks));
      if (!queued.gang()) {
        allocations.free(job.id(), tasks.stream().filter(task -> task.end().isPresent()).toList());
      }
      AttemptRun run = new AttemptRun(context, queued, attempt);
      runs.put(job.id(), run);
      return run.resume(job, spec, tasks, earlier, known);
    }
    return List.of();
  }

  private void loop() {
    long lastTick = System.nanoTime();
    List<Runnable> batch = new ArrayList<>();
    while (!closed) {
      try {
        Duration untilTick = settings.tick().minusNanos(System.nanoTime() - lastTick);
        Runnable first = inbox.poll(room.rest(untilTick).toNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
          batch.add(first);
          inbox.drainTo(batch, BATCH);
          batch.forEach(this::handle);
          batch.clear();
        }
        if (System.nanoTime() - lastTick >= settings.tick().toNanos()) {
          lastTick = System.nanoTime();
          tick();
        }
        room.requeueDue();
        plan();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("the queue met an error", e);
      }
    }
  }

  private void handle(Runnable input) {
    try {
      input.run();
    } catch (RuntimeException e) {
      LOG.error("the queue met an error", e);
    }
  }

  private void plan() {
    if (context.watch().isAbsent() || !room.planNeeded()) {
      return;
    }
    Plan plan = planner.plan(clock.instant());
    for (Plan.Start start : plan.starts()) {
      AttemptRun begun = runs.get(start.job());
      if (begun != null) {
        allocations.add(begun.queued(), start.tasks());
        begun.placeMore(start.tasks());
        continue;
      }
      WaitingJob waitingJob = room.call(start.job());
      if (waitingJob != null) {
        allocations.add(waitingJob.job(), start.tasks());
        AttemptRun run = new AttemptRun(context, waitingJob.job(), waitingJob.attempt() + 1);
        runs.put(start.job(), run);
        run.place(waitingJob, start.tasks());
      }
    }
  }

  /** These tasks are over, and the next in line may have their room. */
  private void freed(QueuedJob job, List<Task> tasks, List<TaskId> again) {
    AttemptRun run = runs.get(job.id());
    if (run != null) {
      allocations.free(job.id(), tasks);
      allocations.again(job, run.isStopping() ? List.of() : again);
      room.machinesChanged();
      room.portsFreed(tasks);
    }
  }

  private void held(WaitingJob waitingJob, PortAllocator.Choice.Missing missing) {
    gone(waitingJob.job().id());
    room.hold(waitingJob, missing);
  }

  private void over(QueuedJob queued, Job job, int attempt, List<Task> tasks) {
    AttemptRun run = runs.get(job.id());
    if (run != null && run.attempt() == attempt) {
      if (lookAgain.contains(job.id())) {
        dropped(job.id());
      } else {
        gone(job.id());
        if (job.state() == JobState.WAITING) {
          room.enter(queued, job.status());
        }
      }
    }
    room.portsFreed(tasks);
  }

  private void gone(JobId job) {
    runs.remove(job);
    allocations.remove(job);
    room.leave(job);
  }

  /** Whatever the job has become, it is taken up as it is now. */
  private void dropped(JobId id) {
    lookAgain.remove(id);
    try {
      Optional<JobStore.Unfinished> found = db.read(handle -> jobs.findUnfinished(handle, id));
      boolean there = found.filter(it -> it.job().state().holdsResources()).isPresent();
      Set<TaskId> known = there ? Reconciliation.ids(engine.list()) : Set.of();
      // Only now: without an attempt, reconciliation would remove the job's tasks.
      gone(id);
      found.ifPresent(it -> takeUp(it, known));
    } catch (RuntimeException e) {
      LOG.warn("job {} can't be taken up now; the next tick tries again", id, e);
      lookAgain.add(id);
    }
  }

  /** Some time has passed. */
  private void tick() {
    runs.values().forEach(AttemptRun::tick);
    List<JobId> again = List.copyOf(lookAgain);
    lookAgain.clear();
    again.forEach(this::dropped);
    room.look();
    waits.look();
    rules.refresh();
    reconciliation.begin(this::machines);
    missed.look();
  }

  /** Ticks now, whatever the time is; done when that is. */
  CompletableFuture<Void> tickNow() {
    return CompletableFuture.runAsync(this::tick, inbox::add);
  }

  private void engineReturned() {
    runs.values().forEach(AttemptRun::engineReturned);
    room.machinesChanged();
    reconciliation.begin(this::machines);
  }

  private void machines(List<Node> now) {
    if (!now.equals(nodes)) {
      nodes = now;
      planner.apply(new QueueEvent.NodesChanged(now));
      room.machinesChanged();
    }
  }

  @Override
  public void submitted(QueuedJob job, JobStatus status) {
    inbox.add(
        () -> {
          AttemptRun run = runs.get(job.id());
          if (run == null) {
            room.enter(job, status);
          } else if (run.attempt() <= status.attempt()) {
            // The attempt before is still clearing up; when it is done, the job is looked at again.
            lookAgain.add(job.id());
          } // Otherwise the notice is late: MissedJobs has already added the job.
        });
  }

  @Override
  public void stopRequested(JobId job, JobStatus status) {
    inbox.add(
        () -> {
          AttemptRun run = runs.get(job);
          if (run == null) {
            room.leave(job, status.version());
          } else if (run.attempt() <= status.attempt()) {
            run.stop(status);
            if (!status.state().holdsResources()) {
              // Its attempt was just over, so it went from the queue to its end.
              lookAgain.add(job);
            }
          } // Otherwise it runs again since, or its placement fails because its version changed.
        });
  }

  @Override
  public Map<JobId, Message> explain(Collection<JobId> list) {
    return list.isEmpty() ? Map.of() : context.specs().progress().addTo(room.explain(list), list);
  }

  @Override
  public Optional<Message> neverFits(QueuedJob job) {
    return planner.neverFits(job);
  }

  @Override
  public Optional<Message> refusal(String user, JobSpec job) {
    return settings.ports().refusal(job).or(() -> engine.refusal(user, job));
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  /** Who holds what at this moment. */
  public Map<JobId, List<TaskPlacement>> placements() {
    return allocations.all();
  }

  /** Quotas, limits or cordoned machines are others than before. */
  public void rulesChanged() {
    inbox.add(rules::refresh);
  }

  /** Who uses what of their limits. */
  public UsageSnapshot uses() {
    return planner.uses();
  }

  /** How many jobs wait for a place. */
  public int depth() {
    return room.size();
  }

  /** How often was planned, and how long that took altogether. */
  public PlanningCost planningCost() {
    return planner.cost();
  }

  /** Lets go; running tasks go on. What is under way is taken up by the next start. */
  @Override
  public void close() {
    closed = true;
    loop.interrupt();
    threads.shutdown();
    try {
      if (loop.isAlive()) {
        loop.join(PATIENCE);
      }
      if (!threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
