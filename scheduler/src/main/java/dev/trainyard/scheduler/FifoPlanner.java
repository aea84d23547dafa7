package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Strictly first come, first served: nobody starts before somebody who came earlier, even if there
 * would be room. Only those that could not run even on empty machines are passed over. Planning
 * looks at no more jobs than it starts, and one.
 */
public final class FifoPlanner implements Planner {
  private final Machines machines = new Machines();

  /** Those that could run. */
  private final ArrivalOrder waiting = new ArrivalOrder();

  /** Those that can't run on the machines of now; other machines may come. */
  private final Map<JobId, QueuedJob> hopeless = new HashMap<>();

  private final Map<JobId, List<TaskPlacement>> placed = new HashMap<>();

  /** The plan for the state of now; null after every change. */
  private Planned planned;

  /** What {@link #neverFits} said on the machines of now: most jobs of a queue are alike. */
  private final Map<List<QueuedJob.Demand>, Optional<Message>> verdicts =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(
            Map.Entry<List<QueuedJob.Demand>, Optional<Message>> e) {
          return size() > 1000;
        }
      };

  /**
   * A plan with its consequence.
   *
   * @param free what is left of the machines when all of it has started
   */
  private record Planned(Plan plan, Set<JobId> jobs, List<Room> free) {}

  @Override
  public void apply(QueueEvent event) {
    planned = null;
    switch (event) {
      case QueueEvent.NodesChanged(var nodes) -> {
        if (machines.replace(nodes)) {
          verdicts.clear();
          judgeAgain();
        }
      }
      case QueueEvent.Waiting(QueuedJob job) -> {
        forget(job.id());
        enqueue(job);
      }
      case QueueEvent.Placed(QueuedJob job, List<TaskPlacement> tasks) -> {
        forget(job.id());
        placed.put(job.id(), tasks);
        machines.take(tasks);
      }
      case QueueEvent.Gone(JobId job) -> forget(job);
    }
  }

  private void forget(JobId job) {
    waiting.remove(job);
    hopeless.remove(job);
    List<TaskPlacement> tasks = placed.remove(job);
    if (tasks != null) {
      machines.release(tasks);
    }
  }

  private void enqueue(QueuedJob job) {
    if (neverFits(job).isPresent()) {
      hopeless.put(job.id(), job);
    } else {
      waiting.put(job);
    }
  }

  /** On other machines other jobs are hopeless. */
  private void judgeAgain() {
    List<QueuedJob> all = new ArrayList<>(hopeless.values());
    waiting.forEach(all::add);
    for (QueuedJob job : all) {
      if (neverFits(job).isPresent() != hopeless.containsKey(job.id())) {
        forget(job.id());
        enqueue(job);
      }
    }
  }

  @Override
  public Plan plan(Instant now) {
    return current().plan();
  }

  private Planned current() {
    if (planned == null) {
      planned = planAnew();
    }
    return planned;
  }

  private Planned planAnew() {
    List<Room> rooms = machines.free();
    List<Plan.Start> starts = new ArrayList<>();
    Set<JobId> jobs = new HashSet<>();
    for (QueuedJob job : waiting) {
      List<Room> trial = Room.copies(rooms);
      Optional<List<TaskPlacement>> tasks = Gang.place(job, trial);
      if (tasks.isEmpty()) {
        break;
      }
      rooms = trial;
      starts.add(new Plan.Start(job.id(), tasks.get()));
      jobs.add(job.id());
    }
    return new Planned(new Plan(starts), jobs, rooms);
  }

  @Override
  public Optional<Message> explain(JobId id) {
    QueuedJob without = hopeless.get(id);
    if (without != null) {
      return neverFits(without);
    }
    return waiting.find(id).map(this::explain);
  }

  private Message explain(QueuedJob job) {
    if (current().jobs().contains(job.id())) {
      return Message.of("wait.next");
    }
    // Who is about to start counts as started: the answer holds a moment longer.
    int ahead = waiting.ahead(job.id()) - current().jobs().size();
    return WaitReason.now(job, machines, current().free(), ahead);
  }

  @Override
  public Optional<Message> neverFits(QueuedJob job) {
    Optional<Message> verdict = verdicts.get(job.roles());
    if (verdict == null) {
      verdict = WaitReason.forEver(job, machines);
      verdicts.put(job.roles(), verdict);
    }
    return verdict;
  }
}
