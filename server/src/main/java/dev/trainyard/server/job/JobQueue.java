package dev.trainyard.server.job;

import dev.trainyard.model.Isolation;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.QueuedJob;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** What jobs tell the queue and ask of it. All methods are thread-safe and quick. */
public interface JobQueue {
  /** A job waits, and that is durable. */
  void submitted(QueuedJob job, long version);

  /** A job is STOPPED or STOPPING, and that is durable. */
  void stopRequested(JobId job);

  /** Why each of these waits; those that don't are left out. */
  Map<JobId, Message> explain(Collection<JobId> jobs);

  /** Why this job could not run even with every machine empty; empty if it could. */
  Optional<Message> neverFits(QueuedJob job);

  /** Why jobs of this user are not taken at all; empty if they are. */
  default Optional<Message> refusal(String user, JobSpec job) {
    return Optional.empty();
  }

  /** What a machine keeps apart between a task and everything else; empty if it is not known. */
  default Optional<Isolation> isolation(String node) {
    return Optional.empty();
  }
}
