package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tracks the usage and the limits of virtual clusters and users. Counts placed tasks. Jobs that
 * were already placed at startup are included, and jobs without gang scheduling count only with
 * their placed tasks.
 */
final class QuotaTracker {
  private Quotas quotas = Quotas.NONE;
  private final Map<String, UsageCounter> clusters = new HashMap<>();
  private final Map<String, UsageCounter> users = new HashMap<>();
  private final Map<JobId, JobUsage> usageByJob = new HashMap<>();
  private final Function<TaskPlacement, List<String>> models;

  /**
   * The usage of a job: its placed tasks, each with the models that its devices had when the task
   * was placed.
   */
  private record JobUsage(String cluster, String user, Map<TaskPlacement, List<String>> tasks) {}

  /**
   * @param models returns the models of a task's devices
   */
  QuotaTracker(Function<TaskPlacement, List<String>> models) {
    this.models = models;
  }

  /** Replaces the limits; returns false if the limits have not changed. */
  boolean replace(Quotas newQuotas) {
    boolean changed = !quotas.equals(newQuotas);
    quotas = newQuotas;
    return changed;
  }

  boolean isUnlimited() {
    return quotas.equals(Quotas.NONE);
  }

  RevokedAccess revokedAccess() {
    return quotas.revokedAccess();
  }

  void addPlacements(QueuedJob job, List<TaskPlacement> tasks) {
    UsageCounter addedUsage = new UsageCounter();
    JobUsage jobUsage = usageByJob.get(job.id());
    if (jobUsage == null) {
      jobUsage = new JobUsage(job.virtualCluster(), job.user(), new HashMap<>());
      usageByJob.put(job.id(), jobUsage);
      addedUsage.jobs = 1;
    }
    for (TaskPlacement task : tasks) {
      List<String> deviceModels = models.apply(task);
      if (jobUsage.tasks().putIfAbsent(task, deviceModels) == null) {
        addedUsage.add(task.resources(), deviceModels, 1);
      }
    }
    changeCounters(jobUsage, addedUsage, 1);
  }

  void removePlacements(JobId job, List<TaskPlacement> tasks) {
    JobUsage jobUsage = usageByJob.get(job);
    if (jobUsage != null) {
      UsageCounter removedUsage = new UsageCounter();
      for (TaskPlacement task : tasks) {
        List<String> deviceModels = jobUsage.tasks().remove(task);
        if (deviceModels != null) {
          removedUsage.add(task.resources(), deviceModels, 1);
        }
      }
      changeCounters(jobUsage, removedUsage, -1);
    }
  }

  void removeJob(JobId job) {
    JobUsage jobUsage = usageByJob.remove(job);
    if (jobUsage != null) {
      UsageCounter removedUsage = new UsageCounter();
      removedUsage.jobs = 1;
      jobUsage
          .tasks()
          .forEach((task, deviceModels) -> removedUsage.add(task.resources(), deviceModels, 1));
      changeCounters(jobUsage, removedUsage, -1);
    }
  }

  private void changeCounters(JobUsage jobUsage, UsageCounter change, int sign) {
    changeCounters(clusters, jobUsage.cluster(), change, sign);
    changeCounters(users, jobUsage.user(), change, sign);
  }

  private static void changeCounters(
      Map<String, UsageCounter> counters, String name, UsageCounter change, int sign) {
    UsageCounter counter = counters.computeIfAbsent(name, _ -> new UsageCounter());
    counter.add(change, sign);
    if (counter.jobs == 0) {
      counters.remove(name);
    }
  }

  UsageSnapshot usage() {
    return new UsageSnapshot(usage(clusters), usage(users));
  }

  private static Map<String, ResourceUsage> usage(Map<String, UsageCounter> counters) {
    return counters.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, usageCounter -> usageCounter.getValue().toResourceUsage()));
  }

  /** Returns the resources that these tasks of the job would use. */
  UsageCounter computeNeed(QueuedJob job, List<Demand> demands) {
    UsageCounter need = new UsageCounter();
    need.jobs = usageByJob.containsKey(job.id()) ? 0 : 1;
    for (Demand demand : demands) {
      need.addRequested(demand.each(), demand.tasks());
    }
    return need;
  }

  /**
   * Returns the limit that the job would exceed even if the user and the virtual cluster used no
   * other resources; null if there is none.
   */
  BlockingLimit findPermanentLimit(QueuedJob job, UsageCounter need) {
    return findBlockingLimit(job, new UsageCounter(), new UsageCounter(), need);
  }

  private BlockingLimit findBlockingLimit(
      QueuedJob job, UsageCounter userUsage, UsageCounter clusterUsage, UsageCounter need) {
    Shortage user = userUsage.findShortage(quotas.ofUser(job.user()), need);
    Shortage cluster =
        user != null
            ? null
            : clusterUsage.findShortage(quotas.ofVirtualCluster(job.virtualCluster()), need);
    return user == null && cluster == null ? null : new BlockingLimit(user, cluster);
  }

  /**
   * The limit that prevents a start.
   *
   * @param userShortage null if it is a limit of the virtual cluster
   * @param clusterShortage null if it is a limit of the user
   */
  record BlockingLimit(Shortage userShortage, Shortage clusterShortage) {}

  /**
   * Tasks that the limits allow.
   *
   * @param limit the limit that excludes the other tasks; null if all tasks are allowed
   */
  record AllowedDemands(List<Demand> demands, BlockingLimit limit) {}

  /** Returns whether the job's virtual cluster has a quota for a device type. */
  boolean hasTypeQuota(QueuedJob job) {
    return !quotas.ofVirtualCluster(job.virtualCluster()).deviceTypes().isEmpty();
  }

  TentativeUsage newTentativeUsage() {
    return new TentativeUsage();
  }

  /** The usage that would result if some further jobs started. */
  final class TentativeUsage {
    private final Map<String, UsageCounter> tentativeClusters = new HashMap<>();
    private final Map<String, UsageCounter> tentativeUsers = new HashMap<>();

    /**
     * Returns the limit that prevents the job from using these resources now; null if there is
     * none.
     */
    BlockingLimit findBlockingLimit(QueuedJob job, UsageCounter need) {
      return QuotaTracker.this.findBlockingLimit(
          job,
          usageOf(tentativeUsers, users, job.user()),
          usageOf(tentativeClusters, clusters, job.virtualCluster()),
          need);
    }

    /** Returns the tasks that the limits allow, in the given order. */
    AllowedDemands findAllowedDemands(QueuedJob job, List<Demand> demands) {
      if (isUnlimited()) {
        return new AllowedDemands(demands, null);
      }
      UsageCounter usedSoFar = QuotaTracker.this.computeNeed(job, List.of());
      List<Demand> allowedDemands = new ArrayList<>();
      BlockingLimit firstLimit = null;
      for (Demand demand : demands) {
        int taskCount = countAllowedTasks(job, demand, usedSoFar);
        if (taskCount < demand.tasks() && firstLimit == null) {
          firstLimit = findBlockingLimit(job, usagePlus(usedSoFar, demand, taskCount + 1));
        }
        if (taskCount > 0) {
          allowedDemands.add(demand.with(taskCount));
          usedSoFar = usagePlus(usedSoFar, demand, taskCount);
        }
      }
      return new AllowedDemands(allowedDemands, firstLimit);
    }

    private int countAllowedTasks(QueuedJob job, Demand demand, UsageCounter usedSoFar) {
      if (findBlockingLimit(job, usagePlus(usedSoFar, demand, demand.tasks())) == null) {
        return demand.tasks();
      }
      int low = 0;
      int high = demand.tasks() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (findBlockingLimit(job, usagePlus(usedSoFar, demand, middle)) == null) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    private static UsageCounter usagePlus(UsageCounter usage, Demand demand, int tasks) {
      UsageCounter sum = new UsageCounter(usage);
      sum.addRequested(demand.each(), tasks);
      return sum;
    }

    /** Returns the device types whose quota in the virtual cluster these tasks would exceed. */
    List<String> exceededTypes(QueuedJob job, List<TaskPlacement> tasks) {
      Quota quota = quotas.ofVirtualCluster(job.virtualCluster());
      UsageCounter currentUsage = usageOf(tentativeClusters, clusters, job.virtualCluster());
      UsageCounter need = computeNeed(job, tasks);
      return quota.deviceTypes().keySet().stream()
          .filter(type -> currentUsage.exceeds(quota, type, need))
          .toList();
    }

    /**
     * Like {@link #findBlockingLimit(QueuedJob, UsageCounter)}, but for tasks whose devices are
     * known.
     */
    BlockingLimit findBlockingLimit(QueuedJob job, List<TaskPlacement> tasks) {
      return findBlockingLimit(job, computeNeed(job, tasks));
    }

    private UsageCounter computeNeed(QueuedJob job, List<TaskPlacement> tasks) {
      UsageCounter need = new UsageCounter();
      need.jobs = usageByJob.containsKey(job.id()) ? 0 : 1;
      tasks.forEach(task -> need.add(task.resources(), models.apply(task), 1));
      return need;
    }

    void addUsage(QueuedJob job, List<TaskPlacement> tasks) {
      addUsage(job, computeNeed(job, tasks));
    }

    void addUsage(QueuedJob job, UsageCounter need) {
      addToCounter(tentativeUsers, users, job.user(), need);
      addToCounter(tentativeClusters, clusters, job.virtualCluster(), need);
    }

    private void addToCounter(
        Map<String, UsageCounter> tentativeCounters,
        Map<String, UsageCounter> currentCounters,
        String name,
        UsageCounter need) {
      tentativeCounters
          .computeIfAbsent(
              name, _ -> new UsageCounter(currentCounters.getOrDefault(name, new UsageCounter())))
          .add(need, 1);
    }

    private UsageCounter usageOf(
        Map<String, UsageCounter> tentativeCounters,
        Map<String, UsageCounter> currentCounters,
        String name) {
      UsageCounter tentativeUsage = tentativeCounters.get(name);
      return tentativeUsage != null
          ? tentativeUsage
          : currentCounters.getOrDefault(name, new UsageCounter());
    }
  }
}
