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
 * Tracks the usage and the limits of virtual clusters and users. Counts placed tasks, so that jobs
 * found at startup count like others, and jobs without gang scheduling count for the tasks that are
 * placed.
 */
final class QuotaTracker {
  private Quotas quotas = Quotas.NONE;
  private final Map<String, UsageCounter> clusters = new HashMap<>();
  private final Map<String, UsageCounter> users = new HashMap<>();
  private final Map<JobId, Charge> charges = new HashMap<>();
  private final Function<TaskPlacement, List<String>> models;

  /**
   * The usage counted for a job: its tasks, each with the models that its devices had when it was
   * placed.
   */
  private record Charge(String cluster, String user, Map<TaskPlacement, List<String>> tasks) {}

  /**
   * @param models returns the models of a task's devices
   */
  QuotaTracker(Function<TaskPlacement, List<String>> models) {
    this.models = models;
  }

  /** Replaces the limits; returns false if nothing changed. */
  boolean replace(Quotas others) {
    boolean changed = !quotas.equals(others);
    quotas = others;
    return changed;
  }

  boolean isUnlimited() {
    return quotas.equals(Quotas.NONE);
  }

  RevokedAccess barred() {
    return quotas.barred();
  }

  void take(QueuedJob job, List<TaskPlacement> tasks) {
    UsageCounter more = new UsageCounter();
    Charge charge = charges.get(job.id());
    if (charge == null) {
      charge = new Charge(job.virtualCluster(), job.user(), new HashMap<>());
      charges.put(job.id(), charge);
      more.jobs = 1;
    }
    for (TaskPlacement task : tasks) {
      List<String> deviceModels = models.apply(task);
      if (charge.tasks().putIfAbsent(task, deviceModels) == null) {
        more.add(task.resources(), deviceModels, 1);
      }
    }
    count(charge, more, 1);
  }

  void release(JobId job, List<TaskPlacement> tasks) {
    Charge charge = charges.get(job);
    if (charge != null) {
      UsageCounter less = new UsageCounter();
      for (TaskPlacement task : tasks) {
        List<String> deviceModels = charge.tasks().remove(task);
        if (deviceModels != null) {
          less.add(task.resources(), deviceModels, 1);
        }
      }
      count(charge, less, -1);
    }
  }

  void forget(JobId job) {
    Charge charge = charges.remove(job);
    if (charge != null) {
      UsageCounter less = new UsageCounter();
      less.jobs = 1;
      charge.tasks().forEach((task, deviceModels) -> less.add(task.resources(), deviceModels, 1));
      count(charge, less, -1);
    }
  }

  private void count(Charge charge, UsageCounter usageCounter, int sign) {
    count(clusters, charge.cluster(), usageCounter, sign);
    count(users, charge.user(), usageCounter, sign);
  }

  private static void count(
      Map<String, UsageCounter> tallies, String name, UsageCounter usageCounter, int sign) {
    UsageCounter of = tallies.computeIfAbsent(name, _ -> new UsageCounter());
    of.add(usageCounter, sign);
    if (of.jobs == 0) {
      tallies.remove(name);
    }
  }

  UsageSnapshot uses() {
    return new UsageSnapshot(uses(clusters), uses(users));
  }

  private static Map<String, ResourceUsage> uses(Map<String, UsageCounter> tallies) {
    return tallies.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, usageCounter -> usageCounter.getValue().use()));
  }

  /** Returns the resources that these tasks of the job would use. */
  UsageCounter need(QueuedJob job, List<Demand> demands) {
    UsageCounter need = new UsageCounter();
    need.jobs = charges.containsKey(job.id()) ? 0 : 1;
    for (Demand demand : demands) {
      need.addWanted(demand.each(), demand.tasks());
    }
    return need;
  }

  /**
   * Returns the limit that would be exceeded even if the user and the virtual cluster used nothing
   * else; null if there is none.
   */
  Limiting never(QueuedJob job, UsageCounter need) {
    return limiting(job, new UsageCounter(), new UsageCounter(), need);
  }

  private Limiting limiting(
      QueuedJob job, UsageCounter ofUser, UsageCounter ofCluster, UsageCounter need) {
    Shortage user = ofUser.shortage(quotas.ofUser(job.user()), need);
    Shortage cluster =
        user != null
            ? null
            : ofCluster.shortage(quotas.ofVirtualCluster(job.virtualCluster()), need);
    return user == null && cluster == null ? null : new Limiting(user, cluster);
  }

  /**
   * The limit that prevents a start.
   *
   * @param user null if it is a limit of the virtual cluster
   * @param cluster null if it is a limit of the user
   */
  record Limiting(Shortage user, Shortage cluster) {}

  /**
   * Tasks that the limits allow.
   *
   * @param limiting the limit that excludes the other tasks; null if all are allowed
   */
  record Affordable(List<Demand> demands, Limiting limiting) {}

  /** Returns whether the job's limits depend on which devices it gets. */
  boolean isTyped(QueuedJob job) {
    return !quotas.ofVirtualCluster(job.virtualCluster()).deviceTypes().isEmpty();
  }

  TentativeUsage tentative() {
    return new TentativeUsage();
  }

  /** Usage as it would be after some more jobs have started. */
  final class TentativeUsage {
    private final Map<String, UsageCounter> trialClusters = new HashMap<>();
    private final Map<String, UsageCounter> trialUsers = new HashMap<>();

    /**
     * Returns the limit that prevents the job from using these resources now; null if there is
     * none.
     */
    Limiting limiting(QueuedJob job, UsageCounter need) {
      return QuotaTracker.this.limiting(
          job,
          tally(trialUsers, users, job.user()),
          tally(trialClusters, clusters, job.virtualCluster()),
          need);
    }

    /** Returns as many of these tasks, in their order, as the limits allow. */
    Affordable affordable(QueuedJob job, List<Demand> demands) {
      if (isUnlimited()) {
        return new Affordable(demands, null);
      }
      UsageCounter taken = QuotaTracker.this.need(job, List.of());
      List<Demand> some = new ArrayList<>();
      Limiting first = null;
      for (Demand demand : demands) {
        int fits = count(job, demand, taken);
        if (fits < demand.tasks() && first == null) {
          first = limiting(job, plus(taken, demand, fits + 1));
        }
        if (fits > 0) {
          some.add(demand.with(fits));
          taken = plus(taken, demand, fits);
        }
      }
      return new Affordable(some, first);
    }

    private int count(QueuedJob job, Demand demand, UsageCounter taken) {
      if (limiting(job, plus(taken, demand, demand.tasks())) == null) {
        return demand.tasks();
      }
      int low = 0;
      int high = demand.tasks() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (limiting(job, plus(taken, demand, middle)) == null) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    private static UsageCounter plus(UsageCounter taken, Demand demand, int tasks) {
      UsageCounter sum = new UsageCounter(taken);
      sum.addWanted(demand.each(), tasks);
      return sum;
    }

    /**
     * Returns the device types of which these tasks would exceed the quota of the virtual cluster.
     */
    List<String> exceededTypes(QueuedJob job, List<TaskPlacement> tasks) {
      Quota quota = quotas.ofVirtualCluster(job.virtualCluster());
      UsageCounter used = tally(trialClusters, clusters, job.virtualCluster());
      UsageCounter need = need(job, tasks);
      return quota.deviceTypes().keySet().stream()
          .filter(type -> used.exceeds(quota, type, need))
          .toList();
    }

    /** Like {@link #limiting(QueuedJob, UsageCounter)}, but for tasks whose devices are known. */
    Limiting limiting(QueuedJob job, List<TaskPlacement> tasks) {
      return limiting(job, need(job, tasks));
    }

    private UsageCounter need(QueuedJob job, List<TaskPlacement> tasks) {
      UsageCounter need = new UsageCounter();
      need.jobs = charges.containsKey(job.id()) ? 0 : 1;
      tasks.forEach(task -> need.add(task.resources(), models.apply(task), 1));
      return need;
    }

    void take(QueuedJob job, List<TaskPlacement> tasks) {
      take(job, need(job, tasks));
    }

    void take(QueuedJob job, UsageCounter need) {
      change(trialUsers, users, job.user(), need);
      change(trialClusters, clusters, job.virtualCluster(), need);
    }

    private void change(
        Map<String, UsageCounter> trial,
        Map<String, UsageCounter> real,
        String name,
        UsageCounter need) {
      trial
          .computeIfAbsent(name, _ -> new UsageCounter(real.getOrDefault(name, new UsageCounter())))
          .add(need, 1);
    }

    private UsageCounter tally(
        Map<String, UsageCounter> trial, Map<String, UsageCounter> real, String name) {
      UsageCounter tried = trial.get(name);
      return tried != null ? tried : real.getOrDefault(name, new UsageCounter());
    }
  }
}
