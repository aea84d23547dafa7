package dev.trainyard.server.queue;

import dev.trainyard.model.CompletionRule.EndedTask;
import dev.trainyard.model.CompletionRule.Outcome;
import dev.trainyard.model.CompletionRule.OutcomeCounter;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.PreviousRun;
import dev.trainyard.server.job.RetryState;
import dev.trainyard.server.job.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The tasks of one attempt, and their ends in chronological order. Thread-safe. */
final class AttemptTasks {
  /** Exit code of a task that did not run. */
  static final int NEVER_RAN = 255;

  private final Map<TaskId, Task> all = new LinkedHashMap<>();
  private final Set<TaskId> ended = new HashSet<>();

  /** Tasks that are not placed yet, in a job without gang scheduling. */
  private final Set<TaskId> unplaced = new LinkedHashSet<>();

  /** The most recent retry decision for each task that was retried individually. */
  private final Map<TaskName, RetryState> retries = new HashMap<>();

  private final Map<TaskName, Integer> retryNumbers = new HashMap<>();

  private final OutcomeCounter outcomeCounter;
  private boolean allSucceeded = true;
  private EndedTask last;
  private Optional<Instant> started;

  private record TaskName(String role, int index) {
    static TaskName of(TaskId id) {
      return new TaskName(id.role(), id.index());
    }
  }

  /**
   * @param all the placed tasks; ended tasks come first, in the order in which they ended
   * @param earlier the most recent run of each task that was or will be retried individually
   */
  AttemptTasks(JobSpec spec, JobId job, int attempt, List<Task> all, List<PreviousRun> earlier) {
    this.outcomeCounter = new OutcomeCounter(spec);
    if (!spec.extras().gangAllocation()) {
      for (RoleSpec role : spec.roles()) {
        for (int index = 0; index < role.taskCount(); index++) {
          unplaced.add(new TaskId(job, attempt, role.name(), index));
        }
      }
    }
    Set<TaskId> retriedIds = new HashSet<>();
    for (PreviousRun run : earlier) {
      retriedIds.add(run.id());
      recordRetry(run);
    }
    for (Task task : all) {
      unplaced.remove(new TaskId(job, attempt, task.id().role(), task.id().index()));
      if (retriedIds.contains(task.id())) {
        unplaced.add(task.id().nextRun());
      } else {
        this.all.put(task.id(), task);
        task.end().ifPresent(end -> add(task.id(), end));
      }
    }
    this.started = all.stream().flatMap(task -> task.started().stream()).min(Instant::compareTo);
  }

  private void add(TaskId id, TaskEnd end) {
    if (ended.add(id)) {
      last = new EndedTask(id.role(), id.index(), end);
      outcomeCounter.add(last);
      allSucceeded &= end.succeeded();
    }
  }

  /** Adds tasks that were placed. */
  synchronized void add(List<Task> placed) {
    for (Task task : placed) {
      all.put(task.id(), task);
      unplaced.remove(task.id());
    }
  }

  /**
   * Records that a run of a task ended and the task will be retried; this end does not count for
   * the attempt.
   */
  synchronized void retryTask(PreviousRun run) {
    all.remove(run.id());
    unplaced.add(run.id().nextRun());
    recordRetry(run);
  }

  private void recordRetry(PreviousRun run) {
    TaskName name = TaskName.of(run.id());
    retries.put(name, run.next());
    retryNumbers.put(name, run.id().retry() + 1);
  }

  /**
   * Returns the tasks that are waiting for a retry and are not placed yet, with the state of the
   * retry.
   */
  synchronized Map<TaskId, RetryState> awaited() {
    Map<TaskId, RetryState> awaited = new LinkedHashMap<>();
    for (TaskId task : unplaced) {
      if (task.retry() > 0 && !ended.contains(task)) {
        awaited.put(task, retries.get(TaskName.of(task)));
      }
    }
    return awaited;
  }

  /** Returns the retry history of a task before its current run. */
  synchronized RetryRule.Past past(TaskId task) {
    return retries.getOrDefault(TaskName.of(task), RetryState.FIRST).past();
  }

  /** Returns how often a task was retried. */
  synchronized int retryNumber(String role, int index) {
    return retryNumbers.getOrDefault(new TaskName(role, index), 0);
  }

  /** Returns the tasks that are neither placed nor finished. */
  synchronized List<TaskId> unplaced() {
    return unplaced.stream().filter(id -> !ended.contains(id)).toList();
  }

  synchronized List<Task> all() {
    return List.copyOf(all.values());
  }

  synchronized List<Task> unfinished() {
    return all.values().stream().filter(task -> !ended.contains(task.id())).toList();
  }

  synchronized boolean isUnfinished(TaskId id) {
    return (all.containsKey(id) || unplaced.contains(id)) && !ended.contains(id);
  }

  synchronized int endedCount() {
    return ended.size();
  }

  /** Returns the tasks with these IDs. */
  synchronized List<Task> tasksWithIds(Set<TaskId> ids) {
    return ids.stream().map(all::get).filter(Objects::nonNull).toList();
  }

  synchronized void started(Set<TaskId> ids, Instant now) {
    started = started.or(() -> Optional.of(now));
    ids.forEach(id -> all.computeIfPresent(id, (_, task) -> task.startedAt(now)));
  }

  /**
   * Returns how long the attempt has been running; zero if the attempt never ran or the clock was
   * set back.
   */
  synchronized Duration runTime(Instant now) {
    return started
        .map(from -> Duration.between(from, now))
        .filter(ran -> !ran.isNegative())
        .orElse(Duration.ZERO);
  }

  /**
   * Adds further ends and returns the resulting progress. The caller must record the ends before it
   * acts on the result. An added end cannot be removed: either it is recorded, or the server
   * process terminates.
   */
  synchronized Progress addEnds(Map<TaskId, TaskEnd> ends) {
    boolean wasDecided = outcomeCounter.outcome().isPresent();
    ends.forEach(this::add);
    return new Progress(
        outcomeCounter.outcome(),
        !wasDecided,
        outcomeCounter.isFinished(),
        allSucceeded,
        Optional.of(last));
  }

  /**
   * Progress of the attempt.
   *
   * @param outcome the outcome of the attempt, once it is decided
   * @param outcomeIsNew whether the outcome was undecided before this change
   * @param finished whether no task is left
   * @param allSucceeded whether every finished task succeeded
   * @param lastEnded the task that ended most recently
   */
  record Progress(
      Optional<Outcome> outcome,
      boolean outcomeIsNew,
      boolean finished,
      boolean allSucceeded,
      Optional<EndedTask> lastEnded) {}

  /**
   * Returns the end to record for a task that the engine does not know: SUPERVISOR_LOST if the task
   * was started, otherwise STOPPED.
   */
  static TaskEnd endOfUnknownTask(Task task, Instant now) {
    ExitReason reason =
        task.started().isPresent() ? ExitReason.SUPERVISOR_LOST : ExitReason.STOPPED;
    return new TaskEnd(NEVER_RAN, reason, "", now);
  }
}
