package dev.trainyard.server.queue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs steps one after the other, on a thread of the executor while there are any. Thread-safe. */
final class SerialSteps {
  private static final Logger LOG = LoggerFactory.getLogger(SerialSteps.class);

  private final Executor executor;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;

  SerialSteps(Executor executor) {
    this.executor = executor;
  }

  synchronized void add(Runnable step) {
    waiting.add(step);
    if (!busy) {
      busy = true;
      executor.execute(this::drain);
    }
  }

  private void drain() {
    boolean broken = true;
    try {
      runAll();
      broken = false;
    } finally {
      if (broken) { // an Error, as of memory: it ends this thread, but not all later steps
        goOn();
      }
    }
  }

  private synchronized void goOn() {
    busy = false;
    if (!waiting.isEmpty()) {
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
    Runnable step = waiting.poll();
    busy = step != null;
    return step;
  }
}
