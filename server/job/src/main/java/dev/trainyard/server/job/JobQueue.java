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

/** Interface between jobs and the queue. All methods are thread-safe and return quickly. */
public interface JobQueue {
  /** Notifies the queue that a new or resumed job is waiting. Must be called after the commit. */
  void submitted(QueuedJob job, JobStatus status);

  /**
   * Notifies the queue that a job is STOPPED, STOPPING or PAUSED. Must be called after the commit.
   */
  void stopRequested(JobId job, JobStatus status);

  /** Returns the wait reason of each of these jobs; omits jobs that do not wait. */
  Map<JobId, Message> explain(Collection<JobId> jobs);

  /** Returns why this job could not run even if all nodes were idle; empty if it could run. */
  Optional<Message> neverFits(QueuedJob job);

  /** Returns why this job of this user is rejected; empty if it is accepted. */
  default Optional<Message> rejection(String user, JobSpec job) {
    return Optional.empty();
  }

  /** Returns the nodes in their most recently known state. */
  default List<Node> nodes() {
    return List.of();
  }
}
