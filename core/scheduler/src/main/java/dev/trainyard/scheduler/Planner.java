package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides who runs where. Holds the folded state of queue and machines; the same events in the same
 * order give the same plans: no clock, no chance, no I/O inside. Owned by one thread.
 */
public interface Planner {
  void apply(QueueEvent event);

  /** What should start now. Changes nothing: a start counts once it comes back as an event. */
  Plan plan(Instant now);

  /** Why this job waits, in one sentence; empty if it does not wait. */
  Optional<Message> explain(JobId job);

  /**
   * Why this job could not run even with every machine empty and nobody else's use counted; empty
   * if it could.
   */
  Optional<Message> neverFits(QueuedJob job);

  /** Who uses what, as far as limits are concerned. */
  UsageSnapshot uses();
}
