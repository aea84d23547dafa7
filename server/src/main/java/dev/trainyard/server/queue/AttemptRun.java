package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.TaskStart;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.user.User;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of one job, from its place to its end. The loop tells it what happened; what has to
 * be done about it runs as steps, one after the other, on a virtual thread, so that a slow engine
 * or database holds up this job only.
 *
 * <p>The order of steps that {@link QueuePipeline} reasons about is kept here: an end is recorded
 * before the engine may forget the task.
 */
final class AttemptRun {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);
  private static final int NEVER_RAN = 255;

  private final QueueContext queue;
  private final JobId id;
  private final SerialSteps steps;
  private final Map<TaskId, TaskEnd> unrecorded = new LinkedHashMap<>();
  private final Set<TaskId> reserved = ConcurrentHashMap.newKeySet();
  private volatile boolean stopRequested;
  private volatile boolean stopFailed;

  /** Every task was started: from now on one that the engine does not know is lost. */
  private volatile boolean launched;

  /** Set before the first step that needs it. */
  private volatile AttemptTasks tasks = new AttemptTasks(List.of());

  private volatile int attempt;
  private Optional<JobSpec> spec = Optional.empty();

  AttemptRun(QueueContext queue, JobId id) {
    this.queue = queue;
    this.id = id;
    this.steps = new SerialSteps(queue.threads());
  }

  /** Gives the job the place that a plan found for it, and starts it there. */
  void place(long version, List<TaskPlacement> placements) {
    steps.add(
        () -> {
          var placed = queue.records().place(id, version, placements);
          if (placed.isEmpty()) {
            queue.outcomes().dropped(id);
            return;
          }
          attempt = placed.get().job().status().attempt();
          tasks = new AttemptTasks(placed.get().tasks());
          launch(placed.get().job());
        });
  }

  /**
   * Takes up an attempt of an earlier life of the server.
   *
   * @param known what the engine has of it
   */
  void resume(Job job, List<Task> stored, Set<TaskId> known) {
    attempt = job.status().attempt();
    tasks = new AttemptTasks(stored);
    reserved.addAll(known);
    switch (job.state()) {
      case PREPARING -> steps.add(() -> launch(job));
      case RUNNING -> launched = true;
      case STOPPING -> stop();
      case WAITING, PAUSED, SUCCEEDED, FAILED, STOPPED ->
          throw new IllegalArgumentException("nothing to resume in state " + job.state());
    }
  }

  private void launch(Job job) {
    JobConfig file =
        queue.durably().read(handle -> queue.jobs().findConfig(handle, id)).orElseThrow();
    Optional<User> owner = queue.durably().get(() -> queue.owners().apply(job));
    try {
      start(job, file, owner.orElseThrow(() -> new EngineException("its owner is gone")));
    } catch (RuntimeException e) {
      queue.durably().stopIfClosed(e);
      if (!(e instanceof EngineException)) {
        LOG.error("job {} could not be started", id, e);
      }
      startFailed(
          e instanceof EngineException
              ? e.getMessage()
              : "an error of the platform, which its log explains");
      return;
    }
    if (launched) {
      queue.records().running(id, attempt);
    }
  }

  private void start(Job job, JobConfig file, User owner) {
    List<Task> left = tasks.left();
    Concurrently.run(
        queue.threads(),
        left,
        task -> {
          if (!stopRequested) {
            queue.engine().reserve(queue.spec(job, file, owner, task));
            reserved.add(task.id());
          }
        });
    if (!stopRequested) {
      Concurrently.run(
          queue.threads(), left, task -> queue.engine().start(task.id(), TaskStart.NOTHING));
      launched = true;
    }
  }

  private JobSpec spec() {
    if (spec.isEmpty()) {
      spec =
          queue.durably().read(handle -> queue.jobs().findConfig(handle, id)).map(JobConfig::spec);
    }
    return spec.orElseThrow();
  }

  private void startFailed(String detail) {
    TaskEnd end = new TaskEnd(NEVER_RAN, ExitReason.START_FAILED, detail, queue.clock().instant());
    tasks.left().forEach(task -> addEnd(task.id(), end));
    recordEnds();
  }

  /** The job is STOPPING, or is STOPPED before it got its place. */
  void stop() {
    stopRequested = true;
    steps.add(this::stopTasks);
  }

  private void stopTasks() {
    for (Task task : tasks.left()) {
      if (reserved.contains(task.id())) {
        stopQuietly(task.id());
      } else {
        addEnd(task.id(), neverStarted(task));
      }
    }
    recordEnds();
  }

  private TaskEnd neverStarted(Task task) {
    // Unknown to the engine although it ran: its end is lost, but not that it ran.
    ExitReason reason =
        task.started().isPresent() ? ExitReason.SUPERVISOR_LOST : ExitReason.STOPPED;
    return new TaskEnd(NEVER_RAN, reason, "", queue.clock().instant());
  }

  private void stopQuietly(TaskId task) {
    try {
      queue.engine().stop(task, queue.settings().stopGrace());
    } catch (EngineException e) {
      LOG.warn("task {} could not be stopped; the next tick tries again", task, e);
      stopFailed = true;
    }
  }

  /** Something was seen of a task of this attempt. */
  void observed(TaskObservation observation) {
    if (observation.end().isPresent()) {
      addEnd(observation.id(), observation.end().get());
      steps.add(this::recordEnds);
    }
  }

  /** The engine does not know a task that was started and whose end was not recorded. */
  void lost(TaskId task) {
    addEnd(task, new TaskEnd(NEVER_RAN, ExitReason.SUPERVISOR_LOST, "", queue.clock().instant()));
    steps.add(this::recordEnds);
  }

  private void addEnd(TaskId task, TaskEnd end) {
    synchronized (unrecorded) {
      unrecorded.putIfAbsent(task, end);
    }
  }

  private void recordEnds() {
    Map<TaskId, TaskEnd> ends = new LinkedHashMap<>();
    synchronized (unrecorded) {
      unrecorded.forEach(
          (task, end) -> {
            if (tasks.isLeft(task)) {
              ends.put(task, end);
            }
          });
      unrecorded.clear();
    }
    if (ends.isEmpty()) {
      return;
    }
    switch (queue.records().ended(id, attempt, spec(), tasks, ends)) {
      case GOES_ON -> {}
      case DECIDED -> stopLeft();
      case OVER -> over();
    }
  }

  private void stopLeft() {
    if (!stopRequested) {
      stopRequested = true;
      tasks.left().forEach(task -> stopQuietly(task.id()));
    }
  }

  private void over() {
    // Only what never ran may still hold its room; wait until that is given back.
    boolean ran = launched;
    if (ran) {
      queue.outcomes().over(id);
    }
    for (Task task : tasks.all()) {
      try {
        queue.engine().remove(task.id());
      } catch (EngineException e) {
        LOG.warn("task {} could not be removed; the next tick tries again", task.id(), e);
      }
    }
    if (!ran) {
      queue.outcomes().over(id);
    }
  }

  /** Tasks that were started and are not over, as far as this attempt knows. */
  List<TaskId> running() {
    return launched ? tasks.left().stream().map(Task::id).toList() : List.of();
  }

  boolean is(TaskId task) {
    return task.attempt() == attempt;
  }

  /** Some time has passed. */
  void tick() {
    if (stopFailed) {
      stopFailed = false;
      steps.add(this::stopTasks);
    }
  }
}
