package dev.trainyard.cli.job;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Runs tasks in parallel; rethrows the first failure to the caller. */
final class ParallelRunner {
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  /** A task to run. */
  interface Task {
    void run() throws InterruptedException;
  }

  void run(List<Task> tasks) throws InterruptedException {
    start(tasks);
    join();
  }

  /** Starts additional tasks. */
  void start(List<Task> tasks) {
    threads.removeIf(thread -> !thread.isAlive());
    List<Thread> newThreads = new ArrayList<>();
    for (Task task : tasks) {
      Thread thread = new Thread(() -> runGuarded(task), "trainyard-log");
      // The command may exit before a log ends, for example after a second Ctrl-C.
      thread.setDaemon(true);
      newThreads.add(thread);
    }
    newThreads.forEach(Thread::start);
    threads.addAll(newThreads);
  }

  boolean hasFailed() {
    return failure.get() != null;
  }

  private void runGuarded(Task task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      threads.forEach(Thread::interrupt);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isFinished() {
    return failure.get() != null || threads.stream().noneMatch(Thread::isAlive);
  }

  /** Waits for the given time; returns whether all tasks have finished. */
  boolean finishesWithin(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    for (Thread thread : threads) {
      long remainingMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (remainingMillis > 0 && failure.get() == null) {
        thread.join(remainingMillis);
      }
    }
    return isFinished();
  }

  void join() throws InterruptedException {
    while (!finishesWithin(1_000)) {
      // The loop waits in short steps, so that a failure of one task is reported without waiting
      // for the others.
    }
    if (failure.get() != null) {
      throw failure.get();
    }
  }
}
