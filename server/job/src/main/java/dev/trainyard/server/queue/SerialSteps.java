package dev.trainyard.server.queue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps one at a time. Occupies a thread of the executor only while there are steps.
 * Thread-safe.
 */
final class SerialSteps {
  private static final Logger LOG = LoggerFactory.getLogger(SerialSteps.class);

  private final Executor executor;
  private final Deque<Runnable> pendingSteps = new ArrayDeque<>();
  private boolean busy;

  SerialSteps(Executor executor) {
    this.executor = executor;
  }

  synchronized void add(Runnable step) {
    pendingSteps.add(step);
    if (!busy) {
      busy = true;
      executor.execute(this::drain);
    }
  }

  private void drain() {
    boolean failed = true;
    try {
      runAll();
      failed = false;
    } finally {
      if (failed) { // an Error such as OutOfMemoryError ends this thread, but not the later steps
        restart();
      }
    }
  }

  private synchronized void restart() {
    busy = false;
    if (!pendingSteps.isEmpty()) {
      executor.execute(this::drain);
      busy = true;
    }
  }

  private void runAll() {
    for (Runnable step = next(); step != null; step = next()) {
      try {
        step.run();
      } catch (QueueClosedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.error("a step of a job failed", e);
      }
    }
  }

  private synchronized Runnable next() {
    Runnable step = pendingSteps.poll();
    busy = step != null;
    return step;
  }
}
