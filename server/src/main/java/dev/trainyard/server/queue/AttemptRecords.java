package dev.trainyard.server.queue;

import dev.trainyard.model.CompletionRule;
import dev.trainyard.model.CompletionRule.EndedTask;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobChanges;
import dev.trainyard.server.job.JobStatus;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.Task;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What the queue writes down of an attempt, each time in one transaction. Thread-safe. */
final class AttemptRecords {
  private final Durably durably;
  private final JobStore jobs;
  private final AttemptStore attempts;
  private final JobChanges changes;
  private final InstantSource clock;

  AttemptRecords(
      Durably durably,
      JobStore jobs,
      AttemptStore attempts,
      JobChanges changes,
      InstantSource clock) {
    this.durably = durably;
    this.jobs = jobs;
    this.attempts = attempts;
    this.changes = changes;
    this.clock = clock;
  }

  /** A new attempt of a job. */
  record Placed(Job job, List<Task> tasks) {}

  /** Makes a waiting job PREPARING; empty if it is no longer what the plan was made for. */
  Optional<Placed> place(JobId id, long version, List<TaskPlacement> placements) {
    Optional<Placed> placed =
        durably.write(
            handle ->
                jobs.find(handle, id)
                    .filter(job -> job.state() == JobState.WAITING)
                    .filter(job -> job.status().version() == version)
                    .flatMap(job -> jobs.change(handle, job, job.status().preparing()))
                    .map(job -> storeTasks(handle, job, placements)));
    changes.changed(id);
    return placed;
  }

  private Placed storeTasks(Handle handle, Job job, List<TaskPlacement> placements) {
    int attempt = job.status().attempt();
    List<Task> tasks =
        placements.stream()
            .map(
                place ->
                    Task.assigned(
                        new TaskId(job.id(), attempt, place.role(), place.index()),
                        place.node(),
                        place.devices()))
            .toList();
    attempts.insert(handle, job.id(), attempt, tasks, clock.instant());
    return new Placed(job, tasks);
  }

  /** All tasks were started. A job that was asked to stop meanwhile stays STOPPING. */
  void running(JobId id, int attempt) {
    durably.write(
        handle -> {
          Job job = jobs.find(handle, id).orElseThrow();
          Instant now = clock.instant();
          attempts.started(handle, id, attempt, now);
          if (job.state() == JobState.PREPARING) {
            change(handle, job, job.status().running(now));
          }
          return true;
        });
    changes.changed(id);
  }

  /** How an attempt stands after some of its tasks ended. */
  enum Standing {
    GOES_ON,
    /** Its end is decided, so the tasks that are left have to go. */
    DECIDED,
    /** No task is left, and the job has its last state. */
    OVER
  }

  /** Records ends of tasks and what follows from them for the job. */
  Standing ended(
      JobId id, int attempt, JobSpec spec, AttemptTasks tasks, Map<TaskId, TaskEnd> ends) {
    Standing standing = durably.write(handle -> ended(handle, id, attempt, spec, tasks, ends));
    tasks.recorded(ends);
    changes.changed(id);
    return standing;
  }

  private Standing ended(
      Handle handle,
      JobId id,
      int attempt,
      JobSpec spec,
      AttemptTasks tasks,
      Map<TaskId, TaskEnd> ends) {
    Job job = jobs.find(handle, id).orElseThrow();
    if (job.state().isFinal()) {
      return Standing.OVER;
    }
    attempts.ended(handle, numbered(ends, tasks.endedCount()));
    List<EndedTask> ended = tasks.endedWith(ends);
    Optional<AttemptEnd> before = attempts.findDecided(handle, id, attempt);
    Optional<AttemptEnd> decided =
        before.or(
            () ->
                CompletionRule.decide(spec, ended)
                    .map(outcome -> Endings.of(spec, outcome, ended)));
    if (decided.isEmpty()) {
      return Standing.GOES_ON;
    }
    boolean over = ended.size() == tasks.all().size();
    Optional<Instant> now = over ? Optional.of(clock.instant()) : Optional.empty();
    if (over || before.isEmpty()) {
      attempts.decided(handle, id, attempt, decided.get(), now);
    }
    if (over) {
      change(handle, job, Endings.last(job.status(), decided.get(), ended, now.get()));
      return Standing.OVER;
    }
    attempts.stopping(handle, id, attempt);
    if (job.state() != JobState.STOPPING) {
      change(handle, job, job.status().stopping(StopCause.COMPLETION, Optional.empty()));
    }
    return Standing.DECIDED;
  }

  private static List<AttemptStore.EndedTask> numbered(Map<TaskId, TaskEnd> ends, int before) {
    List<AttemptStore.EndedTask> list = new ArrayList<>();
    ends.forEach(
        (id, end) -> list.add(new AttemptStore.EndedTask(id, end, before + list.size() + 1)));
    return list;
  }

  private void change(Handle handle, Job job, JobStatus status) {
    if (jobs.change(handle, job, status).isEmpty()) {
      throw new Durably.LostRaceException();
    }
  }
}
