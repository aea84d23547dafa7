package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Strict first-in, first-out planner: no job starts before an earlier one, even if there are enough
 * free resources for it. A job without gang scheduling is treated as independent tasks, which keep
 * its position in the queue until the last of them is placed. The planner passes over only two
 * kinds of jobs: those that could not run even on empty nodes, and those that a limit blocks. An
 * exhausted quota blocks all later jobs of the virtual cluster, an exhausted user limit all later
 * jobs of the user. Planning examines only the jobs that it starts, one more, and one for each
 * blocked queue.
 */
public final class FifoPlanner implements Planner {
  private final ClusterResources clusterResources = new ClusterResources();

  private final QuotaTracker quotas = new QuotaTracker(clusterResources::models);

  private final PortLimit ports = new PortLimit();

  /** Jobs that could run. */
  private final PerUserQueues waiting = new PerUserQueues();

  /** Jobs that cannot run on the current nodes; nodes may be added later. */
  private final Map<JobId, Hopeless> hopeless = new HashMap<>();

  /** Maximum number of roles of a job for which the result of {@link #neverFits} is cached. */
  private static final int MOST_ROLES_REMEMBERED = 16;

  private record Hopeless(QueuedJob job, Message why) {}

  private final Map<JobId, Set<TaskPlacement>> placed = new HashMap<>();

  /** Placed tasks of started jobs without gang scheduling. */
  private final Map<JobId, PlacedTasks> begun = new HashMap<>();

  /** Plan for the current state; null after every change. */
  private Planned planned;

  /**
   * Cached results of {@link #neverFits} for the current nodes, because most jobs of a queue are
   * alike.
   */
  private final Map<Shape, Optional<Message>> verdicts =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Shape, Optional<Message>> e) {
          return size() > 1000;
        }
      };

  /** All properties that decide whether a job could ever run. */
  private record Shape(List<QueuedJob.Demand> roles, boolean gang) {}

  /**
   * A plan and the state that results from it.
   *
   * @param free free resources of the nodes after the whole plan has started
   */
  private record Planned(
      Plan plan,
      Set<JobId> jobs,
      List<NodeFreeResources> free,
      QuotaTracker.TentativeUsage limits,
      PerUserQueues.Walk walk) {}

  @Override
  public void apply(QueueEvent event) {
    planned = null;
    switch (event) {
      case QueueEvent.NodesChanged(var nodes) -> {
        if (clusterResources.replace(nodes)) {
          verdicts.clear();
          reevaluateAll();
        }
      }
      case QueueEvent.Cordoned(var nodes) -> clusterResources.cordon(nodes);
      case QueueEvent.QuotasChanged(Quotas others) -> {
        if (quotas.replace(others)) {
          reevaluateAll();
        }
      }
      case QueueEvent.PortLimitChanged(int most) -> ports.change(most);
      case QueueEvent.Waiting(QueuedJob job) -> {
        forget(job.id());
        enqueue(job);
      }
      case QueueEvent.Placed(QueuedJob job, List<TaskPlacement> tasks) -> place(job, tasks);
      case QueueEvent.TasksFinished(JobId job, List<TaskPlacement> tasks) -> release(job, tasks);
      case QueueEvent.TasksRequeued(QueuedJob job, List<QueueEvent.TaskName> tasks) -> {
        tasks.forEach(begunOf(job)::again);
        enqueueRest(job);
      }
      case QueueEvent.PlacementEnded(JobId job) -> unqueue(job);
      case QueueEvent.JobRemoved(JobId job) -> forget(job);
    }
  }

  private void place(QueuedJob job, List<TaskPlacement> tasks) {
    if (job.gang()) {
      forget(job.id());
    } else {
      PlacedTasks tasksOfIt = begunOf(job);
      tasks.forEach(task -> tasksOfIt.place(task.role(), task.index()));
      enqueueRest(job);
    }
    placed.computeIfAbsent(job.id(), _ -> new LinkedHashSet<>()).addAll(tasks);
    clusterResources.take(tasks);
    quotas.take(job, tasks);
  }

  private PlacedTasks begunOf(QueuedJob job) {
    return begun.computeIfAbsent(job.id(), _ -> new PlacedTasks());
  }

  /** Keeps a started job in the queue as long as any of its tasks is not placed. */
  private void enqueueRest(QueuedJob job) {
    unqueue(job.id());
    if (!rest(job).roles().isEmpty()) {
      enqueue(job);
    }
  }

  private void release(JobId job, List<TaskPlacement> tasks) {
    Set<TaskPlacement> held = placed.getOrDefault(job, Set.of());
    List<TaskPlacement> over = tasks.stream().filter(held::contains).distinct().toList();
    over.forEach(held::remove);
    clusterResources.release(over);
    quotas.release(job, over);
  }

  private void unqueue(JobId job) {
    waiting.remove(job);
    hopeless.remove(job);
  }

  private void forget(JobId job) {
    unqueue(job);
    begun.remove(job);
    quotas.forget(job);
    Set<TaskPlacement> tasks = placed.remove(job);
    if (tasks != null) {
      clusterResources.release(List.copyOf(tasks));
    }
  }

  /**
   * Returns the part of a job that has not been placed yet. For a job with gang scheduling this is
   * the whole job.
   */
  private QueuedJob rest(QueuedJob job) {
    PlacedTasks before = begun.get(job.id());
    return before == null ? job : before.rest(job);
  }

  /** Returns the tasks of {@link #rest} that the port limit allows. */
  private QueuedJob startable(QueuedJob job) {
    return ports.within(job, rest(job), placed.getOrDefault(job.id(), Set.of()));
  }

  private void enqueue(QueuedJob job) {
    enqueue(job, neverFits(job));
  }

  private void enqueue(QueuedJob job, Optional<Message> never) {
    if (never.isPresent()) {
      hopeless.put(job.id(), new Hopeless(job, never.get()));
    } else {
      waiting.put(job);
    }
  }

  /**
   * Re-evaluates all waiting jobs, because other jobs can never run if the nodes or the limits
   * change.
   */
  private void reevaluateAll() {
    List<QueuedJob> all = new ArrayList<>();
    hopeless.values().forEach(entry -> all.add(entry.job()));
    waiting.all().forEach(all::add);
    for (QueuedJob job : all) {
      Optional<Message> never = neverFits(job);
      if (never.isPresent() || hopeless.containsKey(job.id())) {
        unqueue(job.id());
        enqueue(job, never);
      }
    }
  }

  @Override
  public Plan plan(Instant now) {
    return current().plan();
  }

  private Planned current() {
    if (planned == null) {
      planned = createPlan();
    }
    return planned;
  }

  private Planned createPlan() {
    List<NodeFreeResources> free = clusterResources.free();
    QuotaTracker.TentativeUsage limits = quotas.tentative();
    PerUserQueues.Walk walk = waiting.walk();
    List<Plan.Start> starts = new ArrayList<>();
    Set<JobId> jobs = new HashSet<>();
    for (QueuedJob job = walk.next(); job != null; job = walk.next()) {
      QueuedJob rest = startable(job);
      if (rest.roles().isEmpty()) {
        continue; // its running tasks already use as many ports as one job may have
      }
      PlacementPreview placementPreview =
          PlacementPreview.of(
              rest,
              begun.getOrDefault(job.id(), new PlacedTasks()),
              free,
              limits,
              quotas.isTyped(job));
      if (placementPreview.limiting() != null) {
        walk.hold(job, placementPreview.limiting());
      }
      if (!placementPreview.tasks().isEmpty()) {
        free = placementPreview.rooms();
        limits.take(job, placementPreview.tasks());
        starts.add(new Plan.Start(job.id(), placementPreview.tasks()));
        jobs.add(job.id());
      }
      if (placementPreview.machinesAreFull()) {
        break; // the next task of this job is the next in the queue
      }
    }
    return new Planned(new Plan(starts), jobs, free, limits, walk);
  }

  @Override
  public Optional<Message> explain(JobId id) {
    Hopeless entry = hopeless.get(id);
    if (entry != null) {
      return Optional.of(entry.why());
    }
    return waiting.find(id).map(this::explain);
  }

  private Message explain(QueuedJob job) {
    if (current().jobs().contains(job.id())) {
      return Message.of("wait.next");
    }
    if (job.gang()) {
      return explain(job, job);
    }
    List<QueuedJob.Demand> startable = startable(job).roles();
    // Only the next task counts because it does not have to wait for the others.
    Message why =
        startable.isEmpty()
            ? ports.reason(job, rest(job), placed.getOrDefault(job.id(), Set.of()))
            : explain(job, job.with(List.of(startable.getFirst().with(1))));
    return begun.containsKey(job.id())
        ? Message.of("wait.rest", "left", rest(job).tasks())
            .with("tasks", job.tasks())
            .with("reason", why)
        : why;
  }

  /**
   * @param needs the part of the job that is to start
   */
  private Message explain(QueuedJob job, QueuedJob needs) {
    Planned now = current();
    Optional<Message> limited =
        LimitReason.of(job, needs, quotas, now.limits(), clusterResources, waiting);
    if (limited.isPresent()) {
      return limited.get();
    }
    if (now.walk().isHeldByUser(job)) {
      return Message.of("wait.user-behind", "user", job.user())
          .with("ahead", waiting.aheadOfUser(job));
    }
    if (now.walk().isHeldByCluster(job)) {
      return Message.of("wait.vc-behind", "vc", job.virtualCluster())
          .with("ahead", waiting.aheadInCluster(job));
    }
    // Jobs that are about to start count as started, so that the message stays valid longer.
    int ahead = Math.max(0, waiting.ahead(job.id()) - now.jobs().size());
    return WaitReason.now(needs, clusterResources, now.free(), ahead);
  }

  @Override
  public Optional<Message> neverFits(QueuedJob job) {
    Optional<Message> verdict =
        job.roles().size() > MOST_ROLES_REMEMBERED
            ? WaitReason.forEver(job, clusterResources)
            : remembered(job);
    return verdict.isPresent() ? verdict : LimitReason.never(job, quotas, clusterResources);
  }

  private Optional<Message> remembered(QueuedJob job) {
    Shape shape = new Shape(job.roles(), job.gang());
    Optional<Message> verdict = verdicts.get(shape);
    if (verdict == null) {
      verdict = WaitReason.forEver(job, clusterResources);
      verdicts.put(shape, verdict);
    }
    return verdict;
  }

  @Override
  public UsageSnapshot uses() {
    return quotas.uses();
  }
}
