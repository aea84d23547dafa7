package dev.trainyard.server.queue;

import dev.trainyard.model.CompletionRule.EndedTask;
import dev.trainyard.model.CompletionRule.Outcome;
import dev.trainyard.model.CompletionRule.Tally;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The tasks of one attempt and how they ended, in that order. Thread-safe. */
final class AttemptTasks {
  private final Map<TaskId, Task> all = new LinkedHashMap<>();
  private final Set<TaskId> ended = new HashSet<>();

  /** Those that have no place yet, in a job without a gang. */
  private final Set<TaskId> unplaced = new LinkedHashSet<>();

  private final Tally tally;
  private boolean allGood = true;
  private EndedTask last;
  private Optional<Instant> started;

  /**
   * @param all that have their place; the ended ones first, in the order in which they ended
   */
  AttemptTasks(JobSpec spec, JobId job, int attempt, List<Task> all) {
    this.tally = new Tally(spec);
    if (!spec.extras().gangAllocation()) {
      for (RoleSpec role : spec.roles()) {
        for (int index = 0; index < role.taskCount(); index++) {
          unplaced.add(new TaskId(job, attempt, role.name(), index));
        }
      }
    }
    for (Task task : all) {
      this.all.put(task.id(), task);
      unplaced.remove(task.id());
      task.end().ifPresent(end -> add(task.id(), end));
    }
    this.started = all.stream().flatMap(task -> task.started().stream()).min(Instant::compareTo);
  }

  private void add(TaskId id, TaskEnd end) {
    if (ended.add(id)) {
      last = new EndedTask(id.role(), id.index(), end);
      tally.add(last);
      allGood &= end.succeeded();
    }
  }

  /** These have their place now. */
  synchronized void add(List<Task> placed) {
    for (Task task : placed) {
      all.put(task.id(), task);
      unplaced.remove(task.id());
    }
  }

  /** Those that neither have a place nor are over. */
  synchronized List<TaskId> unplaced() {
    return unplaced.stream().filter(id -> !ended.contains(id)).toList();
  }

  synchronized List<Task> all() {
    return List.copyOf(all.values());
  }

  synchronized List<Task> left() {
    return all.values().stream().filter(task -> !ended.contains(task.id())).toList();
  }

  synchronized boolean isLeft(TaskId id) {
    return (all.containsKey(id) || unplaced.contains(id)) && !ended.contains(id);
  }

  synchronized int endedCount() {
    return ended.size();
  }

  /** The tasks of these ids. */
  synchronized List<Task> of(Set<TaskId> ids) {
    return ids.stream().map(all::get).filter(Objects::nonNull).toList();
  }

  synchronized void started(Instant now) {
    started = started.or(() -> Optional.of(now));
  }

  /** How long the attempt has been running; nothing if it never did or the clock was set back. */
  synchronized Duration ran(Instant now) {
    return started
        .map(from -> Duration.between(from, now))
        .filter(ran -> !ran.isNegative())
        .orElse(Duration.ZERO);
  }

  /**
   * Takes further ends into account, which must be recorded before anything follows from them.
   * There is no way back: what was taken here is recorded, or the server ends.
   */
  synchronized Standing end(Map<TaskId, TaskEnd> ends) {
    boolean before = tally.outcome().isPresent();
    ends.forEach(this::add);
    return new Standing(tally.outcome(), !before, tally.isOver(), allGood, Optional.of(last));
  }

  /**
   * How the attempt stands.
   *
   * @param outcome its end, once it is decided
   * @param news whether it was not decided before
   * @param over whether no task is left
   * @param allGood whether every task that is over succeeded
   * @param last the newest end
   */
  record Standing(
      Optional<Outcome> outcome,
      boolean news,
      boolean over,
      boolean allGood,
      Optional<EndedTask> last) {}
}
