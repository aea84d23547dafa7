package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.model.CompletionRule;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.PreviousRun;
import dev.trainyard.server.job.RetryState;
import dev.trainyard.server.job.StopRequest;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskDiagnosis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt of one job, from placement to completion. The queue thread reports events to this
 * object. The resulting steps run one at a time on a virtual thread, so that a slow engine or
 * database delays only this job.
 *
 * <p>This class maintains the order on which the crash safety described in {@link QueuePipeline}
 * depends: the end of a task is recorded before the engine may forget the task.
 */
final class AttemptRun {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);

  private final QueueContext queue;
  private final QueuedJob queued;
  private final int attempt;
  private final SerialSteps steps;
  private final Map<TaskId, TaskEnd> unrecordedEnds = new LinkedHashMap<>();
  private final CompletableFuture<Void> stop = new CompletableFuture<>();
  private volatile Optional<StopRequest> stopRequest = Optional.empty();
  private volatile boolean stopFailed;
  private volatile boolean portsMissing;

  /** Tasks that may be running: the engine must know these tasks until their end is recorded. */
  private final Set<TaskId> startedTasks = ConcurrentHashMap.newKeySet();

  /** Set before the first step that needs it. */
  private volatile Optional<AttemptTasks> tasks = Optional.empty();

  // The following fields are used only by the steps.
  private Job job;
  private JobSpec spec;
  private boolean launched;
  private final List<TaskPlacement> placementsWithoutPorts = new ArrayList<>();
  private final Map<TaskId, RetryState> awaitedRetries = new LinkedHashMap<>();
  private Optional<TaskDiagnosis> diagnosis = Optional.empty();
  private CompletableFuture<Void> launching = CompletableFuture.completedFuture(null);

  AttemptRun(QueueContext queue, QueuedJob queued, int attempt) {
    this.queue = queue;
    this.queued = queued;
    this.attempt = attempt;
    this.steps = new SerialSteps(queue.threads());
  }

  private JobId id() {
    return queued.id();
  }

  private Optional<JobStore.JobWithConfig> readJob() {
    return queue.retryingDb().read(handle -> queue.jobs().findWithConfig(handle, id()));
  }

  /** Stores the placement that a plan found for the job, and starts its tasks. */
  void place(WaitingJob waitingJob, List<TaskPlacement> placements) {
    steps.add(
        () -> {
          Optional<JobStore.JobWithConfig> jobWithConfig =
              readJob().filter(found -> found.job().status().version() == waitingJob.version());
          if (jobWithConfig.isEmpty()) {
            queue.outcomes().planOutdated(id());
          } else {
            place(waitingJob, jobWithConfig.get(), placements);
          }
        });
  }

  private void place(
      WaitingJob waitingJob, JobStore.JobWithConfig jobWithConfig, List<TaskPlacement> placements) {
    switch (PlacementResult.of(queue, jobWithConfig, placements)) {
      case PlacementResult.Done(AttemptRecords.Placed placed) -> {
        adopt(placed.job(), jobWithConfig.config().spec(), placed.tasks(), List.of());
        launch(jobWithConfig.config());
      }
      case PlacementResult.PortsUnavailable(PortAllocator.Choice.Missing missing) ->
          queue.outcomes().portsUnavailable(waitingJob, missing);
      case PlacementResult.Stale() -> queue.outcomes().planOutdated(id());
    }
  }

  /**
   * Stores planned placements of further tasks of a job without gang scheduling, and starts the
   * tasks.
   */
  void placeFurtherTasks(List<TaskPlacement> placements) {
    steps.add(
        () -> {
          placementsWithoutPorts.addAll(placements);
          placeFurtherTasks();
        });
  }

  private void placeFurtherTasks() {
    portsMissing = false;
    // Placements of a finished or stopped attempt are ignored: nothing has been stored for them,
    // and the queue thread releases their allocation when it is notified of the end of the attempt.
    if (tasks.isEmpty() || stop.isDone() || placementsWithoutPorts.isEmpty()) {
      return;
    }
    Optional<JobStore.JobWithConfig> jobWithConfig =
        readJob().filter(found -> found.job().status().attempt() == attempt);
    if (jobWithConfig.isEmpty()) {
      placementsWithoutPorts.clear();
      return;
    }
    switch (PlacementResult.ofFurtherTasks(
        queue, jobWithConfig.get(), List.copyOf(placementsWithoutPorts), tasks()::retryNumber)) {
      case PlacementResult.Done(AttemptRecords.Placed placed) -> {
        placementsWithoutPorts.clear();
        tasks().add(placed.tasks());
        launch(jobWithConfig.get().config());
      }
      case PlacementResult.PortsUnavailable(_) -> portsMissing = true;
      case PlacementResult.Stale() -> placementsWithoutPorts.clear();
    }
  }

  private void adopt(Job storedJob, JobSpec jobSpec, List<Task> stored, List<PreviousRun> runs) {
    job = storedJob;
    spec = jobSpec;
    tasks = Optional.of(new AttemptTasks(jobSpec, storedJob.id(), attempt, stored, runs));
    awaitedRetries.putAll(tasks().awaited());
  }

  /**
   * Adopts an attempt of a previous server process.
   *
   * @param runs the most recent run of each task that was or will be retried individually
   * @param knownIds tasks of this attempt that the engine knows
   * @return the tasks that the engine must know; excludes tasks that are being launched again,
   *     because such tasks may be newer than the engine's task list
   */
  List<TaskId> resume(
      Job found, JobSpec jobSpec, List<Task> stored, List<PreviousRun> runs, Set<TaskId> knownIds) {
    adopt(found, jobSpec, stored, runs);
    queue.ports().adopt(stored);
    List<TaskId> remaining = tasks().unfinished().stream().map(Task::id).toList();
    steps.add(this::requeueDue);
    return switch (found.state()) {
      case PREPARING -> {
        steps.add(this::relaunch);
        yield List.of();
      }
      case RUNNING -> {
        launched = true;
        List<TaskId> running =
            tasks().unfinished().stream()
                .filter(task -> isGang() || task.started().isPresent())
                .map(Task::id)
                .toList();
        startedTasks.addAll(running);
        if (!running.containsAll(remaining)) {
          steps.add(this::relaunch);
        }
        yield running;
      }
      case STOPPING -> {
        remaining.stream().filter(knownIds::contains).forEach(startedTasks::add);
        stop(found.status());
        yield List.of();
      }
      case WAITING, PAUSED, SUCCEEDED, FAILED, STOPPED ->
          throw new IllegalArgumentException("nothing to resume in state " + found.state());
    };
  }

  /** Requeues the tasks whose backoff has expired. */
  private void requeueDue() {
    List<TaskId> due = due();
    if (!due.isEmpty()) {
      queue.outcomes().tasksFinished(queued, List.of(), due);
    }
  }

  /** Removes and returns the tasks whose backoff has expired; the caller notifies the queue. */
  private List<TaskId> due() {
    return stop.isDone() ? List.of() : TaskRetries.takeDue(awaitedRetries, queue.clock().instant());
  }

  private boolean isGang() {
    return queued.gang();
  }

  private void relaunch() {
    launch(queue.retryingDb().read(handle -> queue.jobs().findConfig(handle, id())).orElseThrow());
  }

  private AttemptTasks tasks() {
    return tasks.orElseThrow();
  }

  /**
   * Starts the tasks that are placed but not started. In a gang, these are all unfinished tasks.
   */
  private void launch(JobConfig config) {
    List<Task> remaining =
        tasks().unfinished().stream().filter(task -> !startedTasks.contains(task.id())).toList();
    if (remaining.isEmpty()) {
      return;
    }
    TaskLauncher.Outcome outcome =
        new TaskLauncher(queue, job, stop, startedTasks).run(config, tasks().all(), remaining);
    if (!outcome.addresses().isEmpty()) {
      launched = true;
      Instant now = queue.clock().instant();
      tasks().started(outcome.addresses().keySet(), now);
      job = queue.records().recordStarts(job, outcome.addresses(), now);
    }
    // If a stop arrived in the meantime, the stop has added a step that ends the tasks.
    launching = CompletableFuture.allOf(launching, outcome.reservations());
    if (!outcome.failed().isEmpty()) {
      startFailed(outcome.failed());
    }
  }

  /**
   * Records tasks that failed to start. No further task of a gang is started; the running tasks of
   * the gang are stopped once the outcome is recorded.
   */
  private void startFailed(List<GangLauncher.Result.Failed> failed) {
    Instant now = queue.clock().instant();
    for (GangLauncher.Result.Failed failure : failed) {
      queue.retryingDb().stopIfClosed(new EngineException(failure.detail()));
      addEnd(failure.task(), failure.end(now));
    }
    if (isGang()) {
      for (Task task : tasks().unfinished()) {
        if (!startedTasks.contains(task.id())) {
          addEnd(task.id(), AttemptTasks.endOfUnknownTask(task, queue.clock().instant()));
        }
      }
    }
    recordEnds();
  }

  private void endUnplaced() {
    for (TaskId task : tasks().unplaced()) {
      addEnd(
          task,
          new TaskEnd(AttemptTasks.NEVER_RAN, ExitReason.STOPPED, "", queue.clock().instant()));
    }
  }

  /** Stops the attempt. The job is STOPPING, or it was STOPPED or PAUSED before it was placed. */
  void stop(JobStatus status) {
    stopRequest = status.stop();
    stop.complete(null);
    if (!isGang()) {
      queue.outcomes().placementEnded(id());
    }
    steps.add(this::stopTasks);
  }

  private void stopTasks() {
    if (tasks.isEmpty()) {
      return;
    }
    for (Task task : tasks().unfinished()) {
      if (startedTasks.contains(task.id())) {
        stopQuietly(task.id());
      } else {
        addEnd(task.id(), AttemptTasks.endOfUnknownTask(task, queue.clock().instant()));
      }
    }
    endUnplaced();
    recordEnds();
  }

  private void stopQuietly(TaskId task) {
    try {
      queue.engine().stop(task, grace());
    } catch (EngineException e) {
      LOG.warn("failed to stop task {}; will retry", task, e);
      stopFailed = true;
    }
  }

  private Duration grace() {
    Duration defaultGrace =
        spec.stopGrace() > 0 ? Duration.ofSeconds(spec.stopGrace()) : queue.settings().stopGrace();
    return stopRequest.flatMap(StopRequest::grace).orElse(defaultGrace);
  }

  /** Handles an observation of a task of this attempt. */
  void handleObservation(TaskObservation observation) {
    TaskId id = observation.id();
    if (tasks.isPresent() && id.retry() < tasks().retryNumber(id.role(), id.index())) {
      // The end of this run is recorded, but the engine still has the run.
      steps.add(() -> queue.remove(id));
    } else if (observation.end().isPresent()) {
      addEnd(observation.id(), observation.end().get());
      steps.add(this::recordEnds);
    }
  }

  /**
   * Records that a task is lost: the task was started and has no recorded end, but the engine does
   * not know the task.
   */
  void recordLoss(TaskId task) {
    addEnd(
        task,
        new TaskEnd(
            AttemptTasks.NEVER_RAN, ExitReason.SUPERVISOR_LOST, "", queue.clock().instant()));
    steps.add(this::recordEnds);
  }

  private void addEnd(TaskId task, TaskEnd end) {
    synchronized (unrecordedEnds) {
      unrecordedEnds.putIfAbsent(task, end);
    }
  }

  private void recordEnds() {
    if (tasks.isEmpty()) {
      return;
    }
    Map<TaskId, TaskEnd> ends = new LinkedHashMap<>();
    synchronized (unrecordedEnds) {
      unrecordedEnds.forEach(
          (task, end) -> {
            if (tasks().isUnfinished(task)) {
              ends.put(task, end);
            }
          });
      unrecordedEnds.clear();
    }
    retryTasks(ends);
    if (ends.isEmpty()) {
      return;
    }
    ImageBuildFinalizer.apply(queue, job, spec, stop.isDone(), ends);
    int before = tasks().endedCount();
    AttemptTasks.Progress progress = tasks().addEnds(ends);
    Duration runTime = tasks().runTime(queue.clock().instant());
    progress.outcome().ifPresent(this::diagnose);
    job = queue.records().recordEnds(job, spec, before, ends, progress, diagnosis, runTime);
    List<Task> endedTasks = tasks().tasksWithIds(ends.keySet());
    queue.ports().release(endedTasks);
    if (!isGang()) {
      queue.outcomes().tasksFinished(queued, endedTasks, List.of());
    }
    if (progress.finished()) {
      finish();
      return;
    }
    if (!isGang()) {
      // Removes finished tasks immediately, because a parameter sweep may have far more tasks than
      // run at the same time, and no other task needs the files of a finished task.
      endedTasks.forEach(task -> queue.remove(task.id()));
    }
    if (progress.outcomeIsNew() && progress.outcome().isPresent() && !stop.isDone()) {
      stop(job.status());
    }
  }

  /**
   * Removes from {@code ends} the tasks that are retried individually; these ends do not count for
   * the job.
   */
  private void retryTasks(Map<TaskId, TaskEnd> ends) {
    if (isGang() || stop.isDone()) {
      return;
    }
    List<PreviousRun> retried = new ArrayList<>();
    for (Task task : tasks().tasksWithIds(ends.keySet())) {
      TaskRetries.next(queue, spec, task, ends.get(task.id()), tasks().past(task.id()))
          .ifPresent(next -> retried.add(new PreviousRun(task.ended(ends.get(task.id())), next)));
    }
    if (retried.isEmpty()
        || !queue.records().recordRetries(job, spec, tasks().endedCount(), retried)) {
      return;
    }
    List<Task> endedTasks = retried.stream().map(PreviousRun::task).toList();
    queue.ports().release(endedTasks);
    for (PreviousRun run : retried) {
      ends.remove(run.id());
      tasks().retryTask(run);
      awaitedRetries.put(run.id().nextRun(), run.next());
      startedTasks.remove(run.id());
    }
    queue.outcomes().tasksFinished(queued, endedTasks, due());
    endedTasks.forEach(task -> queue.remove(task.id()));
  }

  /**
   * Diagnoses a failed attempt once per server process. Repeating the diagnosis after a restart is
   * safe, because the log of a finished task does not change.
   */
  private void diagnose(CompletionRule.Outcome outcome) {
    if (diagnosis.isEmpty() && !outcome.succeeded()) {
      CompletionRule.EndedTask task = outcome.decisive().orElseThrow();
      int retry = tasks().retryNumber(task.role(), task.index());
      TaskId failed = new TaskId(id(), attempt, task.role(), task.index(), retry);
      diagnosis =
          Optional.of(
              new TaskDiagnosis(
                  task.role(),
                  task.index(),
                  queue.diagnoser().of(failed, task.end()),
                  queue.engine().images().isEmpty()));
    }
  }

  private void finish() {
    stop.complete(null); // events that still arrive are ignored
    // If no task was launched, a reservation may still be in progress; report only after its
    // resources are released.
    if (launched) {
      report();
    }
    launching.handle((_, _) -> true).join();
    for (Task task : tasks().all()) {
      queue.remove(task.id());
    }
    if (!launched) {
      report();
    }
  }

  private void report() {
    queue.outcomes().attemptEnded(queued, job, attempt, tasks().all());
  }

  /** Returns the tasks that were started and, as far as this attempt knows, have not finished. */
  List<TaskId> running() {
    return tasks.stream()
        .flatMap(attemptTasks -> attemptTasks.unfinished().stream())
        .map(Task::id)
        .filter(startedTasks::contains)
        .toList();
  }

  int attempt() {
    return attempt;
  }

  /** Returns whether the attempt is being stopped, so that no task needs a placement. */
  boolean isStopping() {
    return stop.isDone();
  }

  /** Periodically retries failed operations and requeues tasks whose backoff has expired. */
  void tick() {
    if (stopFailed) {
      stopFailed = false;
      steps.add(this::stopTasks);
    }
    if (portsMissing) {
      steps.add(this::placeFurtherTasks);
    }
    if (!isGang()) {
      steps.add(this::requeueDue);
    }
  }

  /** Resumes a launch that was waiting for an unavailable engine. */
  void engineReturned() {
    if (queue.watch().cancelAwait(id()) && !stop.isDone()) {
      steps.add(this::relaunch);
    }
  }

  QueuedJob queued() {
    return queued;
  }
}
