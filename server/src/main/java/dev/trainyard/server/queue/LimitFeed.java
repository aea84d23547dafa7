package dev.trainyard.server.queue;

import dev.trainyard.scheduler.QueueEvent;
import dev.trainyard.scheduler.Quotas;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the planner's limits what the database says. Its methods belong to the loop, which never
 * waits for the database itself.
 */
final class LimitFeed {
  private static final Logger LOG = LoggerFactory.getLogger(LimitFeed.class);

  private final PlannerGuard planner;
  private final WaitingRoom room;
  private final Supplier<Quotas> source;
  private final Executor threads;
  private final Consumer<Runnable> inbox;
  private Quotas known = Quotas.NONE;
  private boolean underWay;

  /** Something has changed since the reading under way began, which may have missed it. */
  private boolean again;

  LimitFeed(
      PlannerGuard planner,
      WaitingRoom room,
      Supplier<Quotas> source,
      Executor threads,
      Consumer<Runnable> inbox) {
    this.planner = planner;
    this.room = room;
    this.source = source;
    this.threads = threads;
    this.inbox = inbox;
  }

  /** Reads here and now: before the first plan. */
  void read() {
    apply(source.get());
  }

  /** Reads in the background. */
  void refresh() {
    if (underWay) {
      again = true;
      return;
    }
    try {
      threads.execute(this::readAside);
      underWay = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("the queue is closed");
    }
  }

  private void readAside() {
    try {
      Quotas now = source.get();
      inbox.accept(() -> apply(now));
    } catch (RuntimeException e) {
      LOG.warn("the limits can't be read; the next tick tries again", e);
    } finally {
      inbox.accept(this::done);
    }
  }

  private void done() {
    underWay = false;
    if (again) {
      again = false;
      refresh();
    }
  }

  private void apply(Quotas now) {
    if (!now.equals(known)) {
      known = now;
      planner.apply(new QueueEvent.QuotasChanged(now));
      room.machinesChanged();
    }
  }
}
