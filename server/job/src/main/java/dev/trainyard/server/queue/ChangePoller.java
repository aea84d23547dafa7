package dev.trainyard.server.queue;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the planner's copy of a value in sync with the database. Only the queue thread calls the
 * methods of this class. After the first read, the database is read on another thread, so that the
 * queue thread does not wait for the database.
 */
final class ChangePoller<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ChangePoller.class);

  private final Supplier<T> source;
  private final Consumer<T> onChange;
  private final Executor threads;
  private final Consumer<Runnable> inbox;
  private T lastValue;
  private boolean reading;

  /**
   * Whether another read was requested after the current read began, which may have missed a
   * change.
   */
  private boolean readAgain;

  /**
   * @param onChange receives the first value and every value that differs from the previous value
   */
  ChangePoller(
      Supplier<T> source, Consumer<T> onChange, Executor threads, Consumer<Runnable> inbox) {
    this.source = source;
    this.onChange = onChange;
    this.threads = threads;
    this.inbox = inbox;
  }

  /** Reads synchronously; called before the first plan. */
  void read() {
    apply(source.get());
  }

  /** Reads in the background. */
  void refresh() {
    if (reading) {
      readAgain = true;
      return;
    }
    try {
      threads.execute(this::readInBackground);
      reading = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("the queue is closed");
    }
  }

  private void readInBackground() {
    try {
      T value = source.get();
      inbox.accept(() -> apply(value));
    } catch (RuntimeException e) {
      LOG.warn("failed to read limits or nodes; will retry", e);
    } finally {
      inbox.accept(this::readDone);
    }
  }

  private void readDone() {
    reading = false;
    if (readAgain) {
      readAgain = false;
      refresh();
    }
  }

  private void apply(T value) {
    if (!value.equals(lastValue)) {
      lastValue = value;
      onChange.accept(value);
    }
  }
}
