package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides which jobs run on which nodes. The state of a planner is determined by the events that
 * were applied to it. A planner is deterministic: the same events in the same order give the same
 * plans, because it uses no clock, no random numbers and no I/O. Only one thread uses a planner.
 */
public interface Planner {
  void apply(QueueEvent event);

  /**
   * Returns the jobs that should start now. The planner treats a job as started only after a {@link
   * QueueEvent.JobPlaced} event.
   */
  Plan plan(Instant now);

  /** Returns the reason why this job waits, in one sentence; empty if it does not wait. */
  Optional<Message> explain(JobId job);

  /**
   * Returns the reason why this job could not run even if every node were empty and no other job
   * were counted; empty if it could run.
   */
  Optional<Message> explainNeverFits(QueuedJob job);

  /** Returns the usage that counts for the limits. */
  UsageSnapshot uses();
}
