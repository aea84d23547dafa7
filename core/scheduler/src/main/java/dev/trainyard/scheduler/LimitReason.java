package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.List;
import java.util.Optional;

/** Creates the message that names the limit that blocks a job. */
final class LimitReason {
  private LimitReason() {}

  /**
   * Returns the limit that currently prevents a start; empty if there is none.
   *
   * @param needs the part of the job that is to start
   */
  static Optional<Message> of(
      QueuedJob job,
      QueuedJob needs,
      QuotaTracker quotas,
      QuotaTracker.TentativeUsage limits,
      ClusterResources clusterResources,
      PerUserQueues waiting) {
    QuotaTracker.Limiting limiting = limits.limiting(job, quotas.need(job, needs.roles()));
    if (limiting == null) {
      return Optional.empty();
    }
    return Optional.of(
        limiting.user() != null
            ? limiting.user().ofUser(job.user(), clusterResources)
            : limiting
                .cluster()
                .inVirtualCluster(job.virtualCluster(), clusterResources)
                .with("ahead", waiting.aheadInCluster(job)));
  }

  /**
   * Returns the limit that would prevent this job from starting even if nothing else ran; empty if
   * there is none.
   */
  static Optional<Message> never(
      QueuedJob job, QuotaTracker quotas, ClusterResources clusterResources) {
    if (quotas.isUnlimited()) {
      return Optional.empty();
    }
    Optional<Message> barred = quotas.barred().why(job);
    if (barred.isPresent()) {
      return barred;
    }
    if (job.gang()) {
      return never(job, job.roles(), quotas, clusterResources);
    }
    return job.roles().stream()
        .map(demand -> never(job, List.of(demand.with(1)), quotas, clusterResources))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Message> never(
      QueuedJob job, List<Demand> demands, QuotaTracker quotas, ClusterResources clusterResources) {
    QuotaTracker.Limiting limiting = quotas.never(job, quotas.need(job, demands));
    if (limiting == null) {
      return Optional.empty();
    }
    return Optional.of(
        limiting.user() != null
            ? limiting.user().neverOfUser(job.user(), clusterResources)
            : limiting.cluster().neverInVirtualCluster(job.virtualCluster(), clusterResources));
  }
}
