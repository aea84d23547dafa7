package dev.trainyard.server.queue;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what the planner knows what the database says. Its methods belong to the loop, which never
 * waits for the database itself.
 */
final class ChangePoller<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ChangePoller.class);

  private final Supplier<T> source;
  private final Consumer<T> changed;
  private final Executor threads;
  private final Consumer<Runnable> inbox;
  private T known;
  private boolean underWay;

  /** Something has changed since the reading under way began, which may have missed it. */
  private boolean again;

  /**
   * @param changed is told what is there, at first and whenever it is different
   */
  ChangePoller(
      Supplier<T> source, Consumer<T> changed, Executor threads, Consumer<Runnable> inbox) {
    this.source = source;
    this.changed = changed;
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
      T now = source.get();
      inbox.accept(() -> apply(now));
    } catch (RuntimeException e) {
      LOG.warn("limits or machines can't be read; the next tick tries again", e);
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

  private void apply(T now) {
    if (!now.equals(known)) {
      known = now;
      changed.accept(now);
    }
  }
}
