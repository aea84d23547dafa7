package dev.trainyard.scheduler;

import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob.Demand;
import java.util.List;
import java.util.Optional;

/** Says in one sentence which limit keeps a job from starting. */
final class LimitReason {
  private LimitReason() {}

  /**
   * Why the limits don't let this start as things stand; empty if they do.
   *
   * @param needs the part of the job that wants to start
   */
  static Optional<Message> of(
      QueuedJob job,
      QueuedJob needs,
      QuotaBook quotas,
      QuotaBook.Trial limits,
      Machines machines,
      Lines waiting) {
    QuotaBook.Limiting limiting = limits.limiting(job, quotas.need(job, needs.roles()));
    if (limiting == null) {
      return Optional.empty();
    }
    return Optional.of(
        limiting.user() != null
            ? limiting.user().ofUser(job.user(), machines)
            : limiting
                .cluster()
                .inVirtualCluster(job.virtualCluster(), machines)
                .with("ahead", waiting.aheadInCluster(job)));
  }

  /** Why the limits would not let this job start even if nothing else ran; empty if they would. */
  static Optional<Message> never(QueuedJob job, QuotaBook quotas, Machines machines) {
    if (quotas.isUnlimited()) {
      return Optional.empty();
    }
    Optional<Message> barred = quotas.barred().why(job);
    if (barred.isPresent()) {
      return barred;
    }
    if (job.gang()) {
      return never(job, job.roles(), quotas, machines);
    }
    return job.roles().stream()
        .map(demand -> never(job, List.of(demand.with(1)), quotas, machines))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<Message> never(
      QueuedJob job, List<Demand> demands, QuotaBook quotas, Machines machines) {
    QuotaBook.Limiting limiting = quotas.never(job, quotas.need(job, demands));
    if (limiting == null) {
      return Optional.empty();
    }
    return Optional.of(
        limiting.user() != null
            ? limiting.user().neverOfUser(job.user(), machines)
            : limiting.cluster().neverInVirtualCluster(job.virtualCluster(), machines));
  }
}
