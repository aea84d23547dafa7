package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.QueuedJob;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What jobs tell the queue and ask of it. All methods are thread-safe and quick. */
public interface JobQueue {
  /** A job waits, new or resumed, and that is durable. */
  void submitted(QueuedJob job, JobStatus status);

  /** A job is STOPPED, STOPPING or PAUSED, and that is durable. */
  void stopRequested(JobId job, JobStatus status);

  /** Why each of these waits; those that don't are left out. */
  Map<JobId, Message> explain(Collection<JobId> jobs);

  /** Why this job could not run even with every machine empty; empty if it could. */
  Optional<Message> neverFits(QueuedJob job);

  /** Why jobs of this user are not taken at all; empty if they are. */
  default Optional<Message> refusal(String user, JobSpec job) {
    return Optional.empty();
  }

  /** The machines as they were seen last. */
  default List<Node> nodes() {
    return List.of();
  }
}
