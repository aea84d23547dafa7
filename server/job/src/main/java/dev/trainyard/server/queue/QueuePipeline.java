package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.model.AppException;
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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves jobs from the queue to the engine and records their ends in the database. One thread, the
 * queue thread, takes events from an inbox, applies them to the planner and carries out the plans
 * of the planner. All operations that may be slow run as steps of an {@link AttemptRun}.
 *
 * <p>The server process may crash between any two instructions. No task runs twice and no task is
 * lost, because:
 *
 * <ol>
 *   <li>A job is stored as WAITING before the queue is notified of the job. If the server crashes
 *       before the queue thread handles the notification, {@link #start} finds the job.
 *   <li>A plan is stored before it is carried out. One transaction stores the state PREPARING, the
 *       attempt, its tasks and their ports; the transaction succeeds only if the job has not
 *       changed since it was planned. Therefore, two server processes cannot both store the plan.
 *       From now on, the task IDs exist, but no task is running yet.
 *   <li>After that, the server calls {@code reserve} for all tasks, and then {@code start} for all
 *       tasks. Both calls are idempotent as long as the engine knows the task, and {@code reserve}
 *       returns the same address each time. Therefore, after a restart, the server launches a
 *       PREPARING job again: a task that is already running, or has already ended, is not started a
 *       second time.
 *   <li>RUNNING is stored after every task was started. This state informs users. After a restart,
 *       the state also means that a task that the engine does not know was started and is lost. A
 *       job without gang scheduling repeats steps 2 and 3 for further tasks. If the start of such a
 *       task is not stored, the task counts as not started and is launched again as in step 3. A
 *       task that failed and is retried individually also repeats these steps, with a new task ID.
 *       The decision to retry the task is stored together with the end of the failed run, so that
 *       this end has no other consequence.
 *   <li>The engine keeps the end of a task until the task is removed. The task is removed only
 *       after one transaction has stored the end, released the ports, and stored the consequence
 *       for the job. After a restart, {@code list} finds an end that was not stored. Step 3 is
 *       therefore safe: the engine forgets a task only when its attempt is no longer PREPARING.
 *   <li>The consequence for the job is its final state, PAUSED, or WAITING for another attempt,
 *       which then proceeds from step 1 with new task IDs. Two attempts of a job never run at the
 *       same time: an attempt is finished when the end of each of its tasks is stored, and an end
 *       is stored only for a task that has ended or was never started.
 *   <li>After a restart, the server removes a task whose job is finished, is at a later attempt, or
 *       is unknown. Such a task exists if the server crashed between step 5 and the removal.
 *   <li>A request to stop or pause a job first stores STOPPING or, for a waiting job, directly the
 *       final state or PAUSED. After a restart, the server stops the tasks of a STOPPING job again
 *       and starts no further tasks. The launch checks for a stop request before it starts
 *       anything, and the stop runs after the launch, so a task that was started is stopped.
 *   <li>The earliest time of a retry is stored as part of step 6, so after a restart a WAITING job
 *       waits only for the remaining backoff.
 *   <li>After step 5 the resources are returned to the planner and the ports to the next job. If a
 *       crash prevents that, the next server process computes both from the database.
 * </ol>
 */
public final class QueuePipeline implements JobQueue, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueuePipeline.class);
  private static final int MAX_BATCH_SIZE = 1_000;

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
  private final Thread queueThread;
  private volatile boolean closed;
  private volatile List<Node> nodes = List.of();

  // Modified only by the queue thread; other threads may read some of these fields.
  private final WaitingJobs waiting;
  private final Map<JobId, AttemptRun> runs = new HashMap<>();
  private final Allocations allocations;

  /** Jobs that changed while the queue processed an earlier version; they are read again. */
  private final Set<JobId> rereadJobs = new HashSet<>();

  private final Reconciliation reconciliation;
  private final WaitReasonRecorder waitReasons;
  private final MissedJobs missedJobs;
  private final UnreadableJobs unreadableJobs;
  private final PlannerConstraints constraints;

  /**
   * @param quotas reads the current quotas and limits
   */
  public QueuePipeline(
      Db db,
      JobStore jobs,
      AttemptStore attempts,
      JobChanges changes,
      Engine engine,
      Planner planner,
      TaskSpecs specs,
      LaunchServices services,
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
            services,
            new ImageProgress(),
            new FailureDiagnoser(services.logs()),
            () -> nodes,
            clock,
            settings,
            threads,
            new EngineWatch(engine, threads, () -> inbox.add(this::engineReturned)),
            new Reports());
    this.waiting = new WaitingJobs(this.planner, context.watch(), clock);
    this.waitReasons = new WaitReasonRecorder(context, waiting, new EventStore(), clock);
    this.constraints =
        new PlannerConstraints(this.planner, waiting, quotas, cordoned, threads, inbox::add);
    this.reconciliation = new Reconciliation(engine, context.watch(), threads, inbox::add, runs);
    this.unreadableJobs = new UnreadableJobs(db, jobs, attempts, clock);
    this.missedJobs = new MissedJobs(context, db, waiting, runs, inbox::add, this::reloadJob);
    this.queueThread = Thread.ofPlatform().name("queue").unstarted(this::loop);
  }

  private final class Reports implements QueueContext.Outcomes {
    @Override
    public void planOutdated(JobId job) {
      inbox.add(() -> QueuePipeline.this.reloadJob(job));
    }

    @Override
    public void portsUnavailable(WaitingJob waitingJob, PortAllocator.Choice.Missing missing) {
      inbox.add(() -> QueuePipeline.this.portsUnavailable(waitingJob, missing));
    }

    @Override
    public void tasksFinished(QueuedJob job, List<Task> tasks, List<TaskId> requeued) {
      inbox.add(() -> QueuePipeline.this.tasksFinished(job, tasks, requeued));
    }

    @Override
    public void placementEnded(JobId job) {
      inbox.add(
          () -> {
            planner.apply(new QueueEvent.PlacementEnded(job));
            waiting.resourcesChanged();
          });
    }

    @Override
    public void attemptEnded(QueuedJob queued, Job job, int attempt, List<Task> tasks) {
      inbox.add(() -> QueuePipeline.this.attemptEnded(queued, job, attempt, tasks));
    }
  }

  /** Adopts unfinished jobs and tasks of the previous process, then starts the queue thread. */
  public void start() {
    nodes = List.copyOf(engine.nodes());
    planner.apply(new QueueEvent.NodesChanged(nodes));
    planner.apply(new QueueEvent.PortLimitChanged(settings.ports().maxPerJob()));
    constraints.read();
    // Subscribes before listing, so that no event between the two is missed.
    engine.watch(observation -> inbox.add(() -> reconciliation.observed(observation)));
    List<TaskObservation> engineTasks = engine.list();
    Set<TaskId> known = Reconciliation.ids(engineTasks);
    List<JobStore.JobWithSpec> startedJobs =
        jobs.loadQueue(db, found -> adopt(found, known), unreadableJobs::fail);
    List<TaskId> running = new ArrayList<>();
    for (JobStore.JobWithSpec found : startedJobs) {
      running.addAll(adopt(found, known));
    }
    inbox.add(() -> reconciliation.compare(running, engineTasks));
    queueThread.start();
    int jobCount = waiting.size() + startedJobs.size();
    if (jobCount > 0 || !engineTasks.isEmpty()) {
      LOG.info("adopted {} jobs; the engine has {} tasks", jobCount, engineTasks.size());
    }
  }

  /** Adds an unfinished job to the queue. Returns the tasks that the engine must know. */
  private List<TaskId> adopt(JobStore.JobWithSpec found, Set<TaskId> known) {
    Job job = found.job();
    JobSpec spec = found.spec();
    QueuedJob queued = QueuedJob.of(job.id(), job.userName(), spec);
    if (job.state() == JobState.WAITING) {
      waiting.add(queued, job.status());
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
      allocations.add(queued, Allocations.placementsOf(spec, tasks));
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
        Runnable first = inbox.poll(waiting.untilNext(untilTick).toNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
          batch.add(first);
          inbox.drainTo(batch, MAX_BATCH_SIZE);
          batch.forEach(this::handle);
          batch.clear();
        }
        if (System.nanoTime() - lastTick >= settings.tick().toNanos()) {
          lastTick = System.nanoTime();
          tick();
        }
        waiting.requeueDue();
        plan();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("unexpected error in the queue", e);
      }
    }
  }

  private void handle(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException e) {
      LOG.error("unexpected error in the queue", e);
    }
  }

  private void plan() {
    if (context.watch().isUnavailable() || !waiting.planNeeded()) {
      return;
    }
    Plan plan = planner.plan(clock.instant());
    for (Plan.Start start : plan.starts()) {
      AttemptRun currentRun = runs.get(start.job());
      if (currentRun != null) {
        allocations.add(currentRun.queued(), start.tasks());
        currentRun.placeFurtherTasks(start.tasks());
        continue;
      }
      WaitingJob waitingJob = waiting.take(start.job());
      if (waitingJob != null) {
        allocations.add(waitingJob.job(), start.tasks());
        AttemptRun run = new AttemptRun(context, waitingJob.job(), waitingJob.attempt() + 1);
        runs.put(start.job(), run);
        run.place(waitingJob, start.tasks());
      }
    }
  }

  /** Releases the placements of finished tasks, so that the next jobs in the queue can use them. */
  private void tasksFinished(QueuedJob job, List<Task> tasks, List<TaskId> requeued) {
    AttemptRun run = runs.get(job.id());
    if (run != null) {
      allocations.free(job.id(), tasks);
      allocations.requeue(job, run.isStopping() ? List.of() : requeued);
      waiting.resourcesChanged();
      waiting.portsFreed(tasks);
    }
  }

  private void portsUnavailable(WaitingJob waitingJob, PortAllocator.Choice.Missing missing) {
    removeJob(waitingJob.job().id());
    waiting.delay(waitingJob, missing);
  }

  private void attemptEnded(QueuedJob queued, Job job, int attempt, List<Task> tasks) {
    AttemptRun run = runs.get(job.id());
    if (run != null && run.attempt() == attempt) {
      if (rereadJobs.contains(job.id())) {
        reloadJob(job.id());
      } else {
        removeJob(job.id());
        if (job.state() == JobState.WAITING) {
          waiting.add(queued, job.status());
        }
      }
    }
    waiting.portsFreed(tasks);
  }

  private void removeJob(JobId job) {
    runs.remove(job);
    allocations.remove(job);
    waiting.remove(job);
  }

  /** Removes a job from the queue and adds it again in its current state. */
  private void reloadJob(JobId id) {
    rereadJobs.remove(id);
    try {
      Optional<JobStore.JobWithSpec> found = db.read(handle -> jobs.findWithSpec(handle, id));
      boolean holdsResources = found.filter(it -> it.job().state().holdsResources()).isPresent();
      Set<TaskId> known = holdsResources ? Reconciliation.ids(engine.list()) : Set.of();
      // The job is removed only now, because without an attempt the reconciliation would remove the
      // tasks of the job.
      removeJob(id);
      found.ifPresent(it -> adopt(it, known));
    } catch (AppException e) {
      removeJob(id);
      unreadableJobs.fail(id, e);
    } catch (RuntimeException e) {
      LOG.warn("failed to add job {} to the queue; will retry", id, e);
      rereadJobs.add(id);
    }
  }

  /** Performs the periodic work. */
  private void tick() {
    runs.values().forEach(AttemptRun::tick);
    List<JobId> rereadNow = List.copyOf(rereadJobs);
    rereadJobs.clear();
    rereadNow.forEach(this::reloadJob);
    waiting.requeueDueChecked();
    waitReasons.recordDue();
    constraints.refresh();
    reconciliation.begin(this::nodesChanged);
    missedJobs.check();
  }

  /** Performs the periodic work immediately; the future completes when the work is done. */
  CompletableFuture<Void> tickNow() {
    return CompletableFuture.runAsync(this::tick, inbox::add);
  }

  private void engineReturned() {
    runs.values().forEach(AttemptRun::engineReturned);
    waiting.resourcesChanged();
    reconciliation.begin(this::nodesChanged);
  }

  private void nodesChanged(List<Node> currentNodes) {
    if (!currentNodes.equals(nodes)) {
      nodes = currentNodes;
      planner.apply(new QueueEvent.NodesChanged(currentNodes));
      waiting.resourcesChanged();
    }
  }

  @Override
  public void submitted(QueuedJob job, JobStatus status) {
    inbox.add(
        () -> {
          AttemptRun run = runs.get(job.id());
          if (run == null) {
            waiting.add(job, status);
          } else if (run.attempt() <= status.attempt()) {
            // The previous attempt is still cleaning up; the job is read again when the cleanup is
            // done.
            rereadJobs.add(job.id());
          }
          // Otherwise the notification is late: MissedJobs has already added the job.
        });
  }

  @Override
  public void stopRequested(JobId job, JobStatus status) {
    inbox.add(
        () -> {
          AttemptRun run = runs.get(job);
          if (run == null) {
            waiting.remove(job, status.version());
          } else if (run.attempt() <= status.attempt()) {
            run.stop(status);
            if (!status.state().holdsResources()) {
              // The attempt had just finished, so the job was stopped or paused while it was
              // waiting.
              rereadJobs.add(job);
            }
          }
          // Otherwise a newer attempt runs, or its placement fails because the job was changed.
        });
  }

  @Override
  public Map<JobId, Message> explain(Collection<JobId> list) {
    return list.isEmpty() ? Map.of() : context.imageProgress().addTo(waiting.explain(list), list);
  }

  @Override
  public Optional<Message> neverFits(QueuedJob job) {
    return planner.neverFits(job);
  }

  @Override
  public Optional<Message> rejection(String user, JobSpec job) {
    return settings.ports().rejection(job).or(() -> engine.refusal(user, job));
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  /** Returns the current placements by job. */
  public Map<JobId, List<TaskPlacement>> placements() {
    return allocations.placementsByJob();
  }

  /** Must be called when quotas, limits or cordoned nodes have changed. */
  public void constraintsChanged() {
    inbox.add(constraints::refresh);
  }

  /** Returns the resource usage that counts against quotas and limits. */
  public UsageSnapshot uses() {
    return planner.uses();
  }

  /** Returns the number of jobs that are waiting for resources. */
  public int depth() {
    return waiting.size();
  }

  /** Returns the number and total duration of planning passes. */
  public PlanningCost planningCost() {
    return planner.cost();
  }

  /** Shuts down the queue. Tasks keep running; the next start resumes operations in progress. */
  @Override
  public void close() {
    closed = true;
    QueueShutdown.stop(queueThread, threads);
  }
}
