package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A queue that only records its notifications. Jobs with more than 64 CPUs never fit. */
final class SilentQueue implements JobQueue {
  private static final int CPUS = 64;

  final List<JobId> submitted = new ArrayList<>();
  final List<JobId> stopped = new ArrayList<>();

  @Override
  public void submitted(QueuedJob job, JobStatus status) {
    submitted.add(job.id());
  }

  @Override
  public void stopRequested(JobId job, JobStatus status) {
    stopped.add(job);
  }

  @Override
  public Map<JobId, Message> explain(Collection<JobId> jobs) {
    Map<JobId, Message> reasons = new LinkedHashMap<>();
    jobs.forEach(job -> reasons.put(job, Message.of("wait.behind", "ahead", 3)));
    return reasons;
  }

  @Override
  public Optional<Message> neverFits(QueuedJob job) {
    boolean fits = job.roles().stream().allMatch(role -> role.each().cpus() <= CPUS);
    return fits ? Optional.empty() : Optional.of(Message.of("wait.next"));
  }
}
