package dev.trainyard.server.queue;

import dev.trainyard.scheduler.QueueEvent;
import dev.trainyard.scheduler.Quotas;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What administrators decide and the planner keeps to. Its methods belong to the loop. */
final class PlannerConstraints {
  private final List<ChangePoller<?>> feeds;

  /**
   * @param cordoned reads on which machines nothing more is to start
   */
  PlannerConstraints(
      SynchronizedPlanner planner,
      WaitingJobs room,
      Supplier<Quotas> quotas,
      Supplier<Set<String>> cordoned,
      Executor threads,
      Consumer<Runnable> inbox) {
    Consumer<QueueEvent> tell =
        changed -> {
          planner.apply(changed);
          room.machinesChanged();
        };
    feeds =
        List.of(
            new ChangePoller<>(
                quotas, now -> tell.accept(new QueueEvent.QuotasChanged(now)), threads, inbox),
            new ChangePoller<>(
                cordoned, now -> tell.accept(new QueueEvent.Cordoned(now)), threads, inbox));
  }

  /** Reads here and now: before the first plan. */
  void read() {
    feeds.forEach(ChangePoller::read);
  }

  /** Reads in the background. */
  void refresh() {
    feeds.forEach(ChangePoller::refresh);
  }
}
