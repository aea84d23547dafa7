package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.event.NewEvent;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobChanges;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.PreviousRun;
import dev.trainyard.server.job.PreviousRunStore;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskDiagnosis;
import dev.trainyard.server.job.TaskPorts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Stores the progress of an attempt; each method uses one transaction. Methods receive the job as
 * the attempt last read it. {@link #recordStarts} and {@link #recordEnds} first try to update that
 * version, and read the job again only if it was changed concurrently. Thread-safe.
 */
final class AttemptRecords {
  private final RetryingDb retryingDb;
  private final JobStore jobs;
  private final AttemptStore attempts;
  private final JobChanges changes;
  private final String engine;
  private final InstantSource clock;

  /**
   * @param engine name of the engine that runs the tasks
   */
  AttemptRecords(
      RetryingDb retryingDb,
      JobStore jobs,
      AttemptStore attempts,
      JobChanges changes,
      String engine,
      InstantSource clock) {
    this.retryingDb = retryingDb;
    this.jobs = jobs;
    this.attempts = attempts;
    this.changes = changes;
    this.engine = engine;
    this.clock = clock;
  }

  /** The job in its new state and the tasks that were placed. */
  record Placed(Job job, List<Task> tasks) {}

  /**
   * Changes a waiting job to PREPARING and stores the placements and ports of its tasks. Returns
   * empty if the job has changed since it was planned.
   *
   * @throws PortStore.TakenException if one of the ports is already in use
   */
  Optional<Placed> place(Job job, List<TaskPlacement> placements, List<TaskPorts> ports) {
    Optional<Placed> placed =
        retryingDb.write(
            handle ->
                jobs.change(handle, job, job.status().preparing())
                    .map(changed -> storeTasks(handle, changed, placements, ports)));
    changes.notifyListeners(job.id());
    return placed;
  }

  private Placed storeTasks(
      Handle handle, Job job, List<TaskPlacement> placements, List<TaskPorts> ports) {
    List<Task> tasks = createTasks(job, placements, ports, (_, _) -> 0);
    attempts.insert(handle, job, tasks, clock.instant());
    PortStore.insert(handle, tasks);
    return new Placed(job, tasks);
  }

  private List<Task> createTasks(
      Job job, List<TaskPlacement> placements, List<TaskPorts> ports, RetryNumbers retries) {
    List<Task> tasks = new ArrayList<>(placements.size());
    for (int i = 0; i < placements.size(); i++) {
      TaskPlacement placement = placements.get(i);
      int retry = retries.of(placement.role(), placement.index());
      TaskId id =
          new TaskId(job.id(), job.status().attempt(), placement.role(), placement.index(), retry);
      tasks.add(Task.assigned(id, placement.node(), engine, placement.devices(), ports.get(i)));
    }
    return tasks;
  }

  /** Returns how often a task was retried. */
  @FunctionalInterface
  interface RetryNumbers {
    int of(String role, int index);
  }

  /**
   * Stores the placements and ports of further tasks of a job without gang scheduling. Returns
   * empty if the job is being stopped.
   *
   * @throws PortStore.TakenException if one of the ports is already in use
   */
  Optional<Placed> placeFurtherTasks(
      Job knownJob, List<TaskPlacement> placements, List<TaskPorts> ports, RetryNumbers retries) {
    Optional<Placed> placed =
        retryingDb.write(
            handle -> {
              Job job = jobs.find(handle, knownJob.id()).orElseThrow();
              if (!isSameActiveAttempt(job, knownJob)) {
                return Optional.empty();
              }
              List<Task> tasks = createTasks(job, placements, ports, retries);
              TaskId first = tasks.getFirst().id();
              // If the first task is already stored, an earlier attempt of this write was
              // committed.
              if (attempts.find(handle, first).filter(task -> task.id().equals(first)).isEmpty()) {
                attempts.deleteEnded(handle, tasks);
                attempts.insertTasks(handle, job, tasks);
                PortStore.insert(handle, tasks);
              }
              return Optional.of(new Placed(job, tasks));
            });
    changes.notifyListeners(knownJob.id());
    return placed;
  }

  private static boolean isSameActiveAttempt(Job job, Job knownJob) {
    return (job.state() == JobState.RUNNING || job.state() == JobState.PREPARING)
        && job.status().attempt() == knownJob.status().attempt();
  }

  /**
   * Records the ends of tasks that are retried individually, without a new attempt of the job.
   * Returns false, and records nothing, if the job is being stopped.
   *
   * @param endedBefore number of finished tasks of the attempt that are not retried
   */
  boolean recordRetries(Job knownJob, JobSpec spec, int endedBefore, List<PreviousRun> runs) {
    Map<TaskId, TaskEnd> ends = new LinkedHashMap<>();
    runs.forEach(run -> ends.put(run.id(), run.task().end().orElseThrow()));
    boolean recorded =
        retryingDb.write(
            handle -> {
              Job job = jobs.find(handle, knownJob.id()).orElseThrow();
              if (!isSameActiveAttempt(job, knownJob)) {
                return false;
              }
              jobs.storeEvents(
                  handle,
                  TaskEvents.retried(
                      job, spec, attempts.recordEnds(handle, withOrder(ends, endedBefore))));
              PreviousRunStore.insert(handle, runs);
              PortStore.delete(handle, ends.keySet());
              return true;
            });
    changes.notifyListeners(knownJob.id());
    return recorded;
  }

  /**
   * Records that these tasks were started. A PREPARING job becomes RUNNING; a job that is being
   * stopped stays STOPPING.
   */
  Job recordStarts(Job knownJob, Map<TaskId, String> addresses, Instant now) {
    Job changed =
        retryingDb.write(
            handle -> {
              attempts.recordStarts(
                  handle, knownJob.id(), knownJob.status().attempt(), addresses, now);
              Job job = knownJob;
              while (job.state() == JobState.PREPARING) {
                Optional<Job> running = jobs.change(handle, job, job.status().running(now));
                if (running.isPresent()) {
                  jobs.storeEvents(handle, TaskEvents.started(running.get(), addresses.keySet()));
                  return running.get();
                }
                job = jobs.find(handle, knownJob.id()).orElseThrow();
              }
              if (job.state() == JobState.RUNNING) {
                jobs.storeEvents(handle, TaskEvents.started(job, addresses.keySet()));
              }
              return job;
            });
    changes.notifyListeners(knownJob.id());
    return changed;
  }

  /** Records the ends of tasks and the resulting state of the job. */
  Job recordEnds(
      Job knownJob,
      JobSpec spec,
      int endedBefore,
      Map<TaskId, TaskEnd> ends,
      AttemptTasks.Progress progress,
      Optional<TaskDiagnosis> diagnosis,
      Duration runTime) {
    Job changed =
        retryingDb.write(
            handle -> {
              List<NewEvent> events =
                  TaskEvents.ended(
                      knownJob, spec, attempts.recordEnds(handle, withOrder(ends, endedBefore)));
              PortStore.delete(handle, ends.keySet());
              Optional<AttemptOutcome> end =
                  progress
                      .outcome()
                      .map(
                          outcome ->
                              AttemptOutcome.of(knownJob, spec, outcome, progress, diagnosis));
              if (end.isEmpty()) {
                jobs.storeEvents(handle, events);
                return knownJob;
              }
              return storeOutcome(handle, knownJob, end.get(), progress, runTime, events);
            });
    changes.notifyListeners(knownJob.id());
    return changed;
  }

  private Job storeOutcome(
      Handle handle,
      Job knownJob,
      AttemptOutcome end,
      AttemptTasks.Progress progress,
      Duration runTime,
      List<NewEvent> events) {
    int attempt = knownJob.status().attempt();
    Instant now = clock.instant();
    Job job = knownJob;
    while (job.state().holdsResources() && job.status().attempt() == attempt) {
      boolean stopping = job.state() == JobState.STOPPING;
      if (!progress.finished() && (!progress.outcomeIsNew() || stopping)) {
        if (progress.outcomeIsNew()) {
          attempts.storeOutcome(
              handle, job.id(), attempt, end.end(), job.status().stop(), Optional.empty());
        }
        jobs.storeEvents(handle, events);
        return job;
      }
      JobStatus next =
          progress.finished()
              ? end.next(job.status(), runTime, now)
              : job.status().stopping(end.stopRequestForRemainingTasks(job.status(), runTime));
      Optional<Job> changed = jobs.change(handle, job, next, end.end().reason(), events);
      if (changed.isPresent()) {
        // The job loses its stop request when it returns to the queue, so the request is stored
        // with the attempt.
        attempts.storeOutcome(
            handle,
            job.id(),
            attempt,
            end.end(),
            job.status().stop().or(next::stop),
            progress.finished() ? Optional.of(now) : Optional.empty());
        if (!progress.finished()) {
          attempts.markStopping(handle, job.id(), attempt);
        }
        return changed.get();
      }
      job = jobs.find(handle, knownJob.id()).orElseThrow();
    }
    // An earlier attempt of this write was committed, including its events.
    return job;
  }

  /** Notifies the listeners of a job; called after another class changed data of the job. */
  void notifyChanged(JobId job) {
    changes.notifyListeners(job);
  }

  private static List<AttemptStore.EndedTask> withOrder(Map<TaskId, TaskEnd> ends, int before) {
    List<AttemptStore.EndedTask> list = new ArrayList<>();
    ends.forEach(
        (id, end) -> list.add(new AttemptStore.EndedTask(id, end, before + list.size() + 1)));
    return list;
  }
}
