package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.List;
import java.util.Optional;

/** Creates the message about the limit that blocks a job. */
final class LimitReason {
  private LimitReason() {}

  /**
   * Returns a message about the limit that currently prevents a start; empty if there is none.
   *
   * @param partToStart the part of the job that is to start
   */
  static Optional<Message> findCurrentLimit(
      QueuedJob job,
      QueuedJob partToStart,
      QuotaTracker quotas,
      QuotaTracker.TentativeUsage limits,
      ClusterResources clusterResources,
      PerUserQueues waiting) {
    QuotaTracker.BlockingLimit limit =
        limits.findBlockingLimit(job, quotas.computeNeed(job, partToStart.roles()));
    if (limit == null) {
      return Optional.empty();
    }
    return Optional.of(
        limit.userShortage() != null
            ? limit.userShortage().userMessage(job.user(), clusterResources)
            : limit
                .clusterShortage()
                .virtualClusterMessage(job.virtualCluster(), clusterResources)
                .with("ahead", waiting.countAheadInCluster(job)));
  }

  /**
   * Returns a message about the limit that would prevent this job from starting even if no other
   * job ran; empty if there is none.
   */
  static Optional<Message> findPermanentLimit(
      QueuedJob job, QuotaTracker quotas, ClusterResources clusterResources) {
    if (quotas.isUnlimited()) {
      return Optional.empty();
    }
    Optional<Message> revocationReason = quotas.revokedAccess().reasonFor(job);
    if (revocationReason.isPresent()) {
      return revocationReason;
    }
    if (job.gang()) {
      return findPermanentLimit(job, job.roles(), quotas, clusterResources);
    }
    return job.roles().stream()
        .map(demand -> findPermanentLimit(job, List.of(demand.with(1)), quotas, clusterResources))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Message> findPermanentLimit(
      QueuedJob job, List<Demand> demands, QuotaTracker quotas, ClusterResources clusterResources) {
    QuotaTracker.BlockingLimit limit =
        quotas.findPermanentLimit(job, quotas.computeNeed(job, demands));
    if (limit == null) {
      return Optional.empty();
    }
    return Optional.of(
        limit.userShortage() != null
            ? limit.userShortage().neverUserMessage(job.user(), clusterResources)
            : limit
                .clusterShortage()
                .neverVirtualClusterMessage(job.virtualCluster(), clusterResources));
  }
}
