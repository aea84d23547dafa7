package dev.trainyard.server.queue;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.Plan;
import dev.trainyard.scheduler.Planner;
import dev.trainyard.scheduler.QueueEvent;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.scheduler.UsageSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Gives other threads access to the planner of the queue thread. Only the queue thread applies
 * events and plans; a query waits while such an operation is in progress.
 */
final class SynchronizedPlanner {
  private final Planner planner;
  private final LongAdder planNanos = new LongAdder();
  private final LongAdder plans = new LongAdder();

  SynchronizedPlanner(Planner planner) {
    this.planner = planner;
  }

  synchronized void apply(QueueEvent event) {
    planner.apply(event);
  }

  synchronized Plan plan(Instant now) {
    long startNanos = System.nanoTime();
    Plan plan = planner.plan(now);
    planNanos.add(System.nanoTime() - startNanos);
    plans.increment();
    return plan;
  }

  /** Returns the number and total duration of planning passes; does not wait for the planner. */
  PlanningCost cost() {
    return new PlanningCost(plans.sum(), Duration.ofNanos(planNanos.sum()));
  }

  synchronized Map<JobId, Message> explain(Collection<JobId> jobs) {
    Map<JobId, Message> reasons = new LinkedHashMap<>();
    for (JobId job : jobs) {
      planner.explain(job).ifPresent(reason -> reasons.put(job, reason));
    }
    return reasons;
  }

  synchronized UsageSnapshot uses() {
    return planner.uses();
  }

  synchronized Optional<Message> neverFits(QueuedJob job) {
    return planner.explainNeverFits(job);
  }
}
