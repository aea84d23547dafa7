package dev.trainyard.server.queue;

import dev.trainyard.scheduler.QueueEvent;
import dev.trainyard.scheduler.Quotas;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Forwards the constraints of administrators, which are quotas, limits and cordons, to the planner.
 * Only the queue thread calls the methods of this class.
 */
final class PlannerConstraints {
  private final List<ChangePoller<?>> pollers;

  /**
   * @param cordonedNodes reads the names of the cordoned nodes
   */
  PlannerConstraints(
      SynchronizedPlanner planner,
      WaitingJobs waitingJobs,
      Supplier<Quotas> quotas,
      Supplier<Set<String>> cordonedNodes,
      Executor threads,
      Consumer<Runnable> inbox) {
    Consumer<QueueEvent> applyChange =
        event -> {
          planner.apply(event);
          waitingJobs.resourcesChanged();
        };
    pollers =
        List.of(
            new ChangePoller<>(
                quotas,
                value -> applyChange.accept(new QueueEvent.QuotasChanged(value)),
                threads,
                inbox),
            new ChangePoller<>(
                cordonedNodes,
                value -> applyChange.accept(new QueueEvent.CordonedNodesChanged(value)),
                threads,
                inbox));
  }

  /** Reads synchronously; called before the first plan. */
  void read() {
    pollers.forEach(ChangePoller::read);
  }

  /** Reads in the background. */
  void refresh() {
    pollers.forEach(ChangePoller::refresh);
  }
}
