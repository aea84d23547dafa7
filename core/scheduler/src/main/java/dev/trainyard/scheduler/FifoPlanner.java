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
 * Strict first-in, first-out planner: no job starts before an earlier job, even if enough resources
 * are free for it. A job without gang scheduling is treated as independent tasks, which keep its
 * position in the queue until the last of them is placed. The planner skips only two kinds of jobs:
 * jobs that could not run even on empty nodes, and jobs that a limit blocks. An exhausted quota
 * blocks all later jobs of the virtual cluster, an exhausted user limit all later jobs of the user.
 * To create a plan, the planner examines only the jobs that the plan starts, the next job, and one
 * job of each blocked queue.
 */
public final class FifoPlanner implements Planner {
  private final ClusterResources clusterResources = new ClusterResources();

  private final QuotaTracker quotas = new QuotaTracker(clusterResources::models);

  private final PortLimit ports = new PortLimit();

  /** Waiting jobs that could run. */
  private final PerUserQueues waiting = new PerUserQueues();

  /** Jobs that cannot run on the current nodes; nodes may be added later. */
  private final Map<JobId, UnschedulableJob> unschedulable = new HashMap<>();

  /**
   * Maximum number of roles of a job for which the result of {@link #explainNeverFits} is cached.
   */
  private static final int MAX_CACHED_ROLES = 16;

  private record UnschedulableJob(QueuedJob job, Message reason) {}

  private final Map<JobId, Set<TaskPlacement>> placementsByJob = new HashMap<>();

  /** Placed tasks of started jobs without gang scheduling. */
  private final Map<JobId, PlacedTasks> placedTasksByJob = new HashMap<>();

  /** Plan for the current state; null after every change. */
  private PlanState cachedState;

  /**
   * Cached results of {@link #explainNeverFits} for the current nodes, because most jobs of a queue
   * are alike.
   */
  private final Map<Shape, Optional<Message>> neverFitsCache =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Shape, Optional<Message>> e) {
          return size() > 1000;
        }
      };

  /** The properties of a job that determine whether it could ever run. */
  private record Shape(List<QueuedJob.Demand> roles, boolean gang) {}

  /**
   * A plan and the state that results from it.
   *
   * @param free free resources of the nodes after the whole plan has started
   */
  private record PlanState(
      Plan plan,
      Set<JobId> jobs,
      List<NodeFreeResources> free,
      QuotaTracker.TentativeUsage limits,
      PerUserQueues.UnblockedJobs unblockedJobs) {}

  @Override
  public void apply(QueueEvent event) {
    cachedState = null;
    switch (event) {
      case QueueEvent.NodesChanged(var nodes) -> {
        if (clusterResources.replaceNodes(nodes)) {
          neverFitsCache.clear();
          reevaluateAll();
        }
      }
      case QueueEvent.CordonedNodesChanged(var nodes) -> clusterResources.cordon(nodes);
      case QueueEvent.QuotasChanged(Quotas newQuotas) -> {
        if (quotas.replace(newQuotas)) {
          reevaluateAll();
        }
      }
      case QueueEvent.PortLimitChanged(int maxPorts) -> ports.setMaxPorts(maxPorts);
      case QueueEvent.JobQueued(QueuedJob job) -> {
        removeJob(job.id());
        enqueue(job);
      }
      case QueueEvent.JobPlaced(QueuedJob job, List<TaskPlacement> tasks) -> place(job, tasks);
      case QueueEvent.TasksFinished(JobId job, List<TaskPlacement> tasks) -> release(job, tasks);
      case QueueEvent.TasksRequeued(QueuedJob job, List<QueueEvent.TaskName> tasks) -> {
        tasks.forEach(placedTasksOf(job)::requeue);
        enqueueRemainder(job);
      }
      case QueueEvent.PlacementEnded(JobId job) -> dequeue(job);
      case QueueEvent.JobRemoved(JobId job) -> removeJob(job);
    }
  }

  private void place(QueuedJob job, List<TaskPlacement> tasks) {
    if (job.gang()) {
      removeJob(job.id());
    } else {
      PlacedTasks placedTasks = placedTasksOf(job);
      tasks.forEach(task -> placedTasks.place(task.role(), task.index()));
      enqueueRemainder(job);
    }
    placementsByJob.computeIfAbsent(job.id(), _ -> new LinkedHashSet<>()).addAll(tasks);
    clusterResources.reserve(tasks);
    quotas.addPlacements(job, tasks);
  }

  private PlacedTasks placedTasksOf(QueuedJob job) {
    return placedTasksByJob.computeIfAbsent(job.id(), _ -> new PlacedTasks());
  }

  /** Keeps a started job in the queue until all of its tasks are placed. */
  private void enqueueRemainder(QueuedJob job) {
    dequeue(job.id());
    if (!remainder(job).roles().isEmpty()) {
      enqueue(job);
    }
  }

  private void release(JobId job, List<TaskPlacement> tasks) {
    Set<TaskPlacement> jobPlacements = placementsByJob.getOrDefault(job, Set.of());
    List<TaskPlacement> finishedTasks =
        tasks.stream().filter(jobPlacements::contains).distinct().toList();
    finishedTasks.forEach(jobPlacements::remove);
    clusterResources.release(finishedTasks);
    quotas.removePlacements(job, finishedTasks);
  }

  private void dequeue(JobId job) {
    waiting.remove(job);
    unschedulable.remove(job);
  }

  private void removeJob(JobId job) {
    dequeue(job);
    placedTasksByJob.remove(job);
    quotas.removeJob(job);
    Set<TaskPlacement> tasks = placementsByJob.remove(job);
    if (tasks != null) {
      clusterResources.release(List.copyOf(tasks));
    }
  }

  /**
   * Returns the part of a job that has not been placed yet. For a job with gang scheduling this is
   * the whole job.
   */
  private QueuedJob remainder(QueuedJob job) {
    PlacedTasks placedTasks = placedTasksByJob.get(job.id());
    return placedTasks == null ? job : placedTasks.remainder(job);
  }

  /** Returns the tasks of {@link #remainder} that the port limit allows. */
  private QueuedJob startablePart(QueuedJob job) {
    return ports.allowedPart(job, remainder(job), placementsByJob.getOrDefault(job.id(), Set.of()));
  }

  private void enqueue(QueuedJob job) {
    enqueue(job, explainNeverFits(job));
  }

  private void enqueue(QueuedJob job, Optional<Message> neverFitsReason) {
    if (neverFitsReason.isPresent()) {
      unschedulable.put(job.id(), new UnschedulableJob(job, neverFitsReason.get()));
    } else {
      waiting.put(job);
    }
  }

  /**
   * Checks for all waiting jobs again whether they can ever run. Called after the nodes or the
   * limits have changed.
   */
  private void reevaluateAll() {
    List<QueuedJob> jobs = new ArrayList<>();
    unschedulable.values().forEach(entry -> jobs.add(entry.job()));
    waiting.allJobs().forEach(jobs::add);
    for (QueuedJob job : jobs) {
      Optional<Message> neverFitsReason = explainNeverFits(job);
      if (neverFitsReason.isPresent() || unschedulable.containsKey(job.id())) {
        dequeue(job.id());
        enqueue(job, neverFitsReason);
      }
    }
  }

  @Override
  public Plan plan(Instant now) {
    return currentState().plan();
  }

  private PlanState currentState() {
    if (cachedState == null) {
      cachedState = createPlan();
    }
    return cachedState;
  }

  private PlanState createPlan() {
    List<NodeFreeResources> free = clusterResources.freeResources();
    QuotaTracker.TentativeUsage limits = quotas.newTentativeUsage();
    PerUserQueues.UnblockedJobs unblockedJobs = waiting.unblockedJobs();
    List<Plan.Start> starts = new ArrayList<>();
    Set<JobId> jobs = new HashSet<>();
    for (QueuedJob job = unblockedJobs.next(); job != null; job = unblockedJobs.next()) {
      QueuedJob startablePart = startablePart(job);
      if (startablePart.roles().isEmpty()) {
        continue; // its running tasks already use all ports that one job may request
      }
      PlacementPreview preview =
          PlacementPreview.of(
              startablePart,
              placedTasksByJob.getOrDefault(job.id(), new PlacedTasks()),
              free,
              limits,
              quotas.hasTypeQuota(job));
      if (preview.limit() != null) {
        unblockedJobs.blockQueuesOf(job, preview.limit());
      }
      if (!preview.tasks().isEmpty()) {
        free = preview.freeResources();
        limits.addUsage(job, preview.tasks());
        starts.add(new Plan.Start(job.id(), preview.tasks()));
        jobs.add(job.id());
      }
      if (preview.nodesAreFull()) {
        break; // the next task of this job is the next in the queue
      }
    }
    return new PlanState(new Plan(starts), jobs, free, limits, unblockedJobs);
  }

  @Override
  public Optional<Message> explain(JobId id) {
    UnschedulableJob entry = unschedulable.get(id);
    if (entry != null) {
      return Optional.of(entry.reason());
    }
    return waiting.find(id).map(this::explain);
  }

  private Message explain(QueuedJob job) {
    if (currentState().jobs().contains(job.id())) {
      return Message.of("wait.next");
    }
    if (job.gang()) {
      return explain(job, job);
    }
    List<QueuedJob.Demand> startableRoles = startablePart(job).roles();
    // Without gang scheduling, only the resources of the next task matter.
    Message waitReason =
        startableRoles.isEmpty()
            ? ports.reason(job, remainder(job), placementsByJob.getOrDefault(job.id(), Set.of()))
            : explain(job, job.with(List.of(startableRoles.getFirst().with(1))));
    return placedTasksByJob.containsKey(job.id())
        ? Message.of("wait.rest", "left", remainder(job).tasks())
            .with("tasks", job.tasks())
            .with("reason", waitReason)
        : waitReason;
  }

  /**
   * @param partToStart the part of the job that is to start
   */
  private Message explain(QueuedJob job, QueuedJob partToStart) {
    PlanState planState = currentState();
    Optional<Message> limitReason =
        LimitReason.findCurrentLimit(
            job, partToStart, quotas, planState.limits(), clusterResources, waiting);
    if (limitReason.isPresent()) {
      return limitReason.get();
    }
    if (planState.unblockedJobs().isUserBlocked(job)) {
      return Message.of("wait.user-behind", "user", job.user())
          .with("ahead", waiting.countAheadOfUser(job));
    }
    if (planState.unblockedJobs().isClusterBlocked(job)) {
      return Message.of("wait.vc-behind", "vc", job.virtualCluster())
          .with("ahead", waiting.countAheadInCluster(job));
    }
    // Jobs that are about to start count as started, so that the message stays valid longer.
    int jobsAhead = Math.max(0, waiting.countAhead(job.id()) - planState.jobs().size());
    return WaitReason.describe(partToStart, clusterResources, planState.free(), jobsAhead);
  }

  @Override
  public Optional<Message> explainNeverFits(QueuedJob job) {
    Optional<Message> permanentReason =
        job.roles().size() > MAX_CACHED_ROLES
            ? WaitReason.describePermanent(job, clusterResources)
            : cachedNeverFits(job);
    return permanentReason.isPresent()
        ? permanentReason
        : LimitReason.findPermanentLimit(job, quotas, clusterResources);
  }

  private Optional<Message> cachedNeverFits(QueuedJob job) {
    Shape shape = new Shape(job.roles(), job.gang());
    Optional<Message> permanentReason = neverFitsCache.get(shape);
    if (permanentReason == null) {
      permanentReason = WaitReason.describePermanent(job, clusterResources);
      neverFitsCache.put(shape, permanentReason);
    }
    return permanentReason;
  }

  @Override
  public UsageSnapshot uses() {
    return quotas.usage();
  }
}
