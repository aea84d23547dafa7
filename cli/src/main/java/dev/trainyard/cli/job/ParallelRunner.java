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
  interface Work {
    void run() throws InterruptedException;
  }

  void run(List<Work> works) throws InterruptedException {
    start(works);
    join();
  }

  /** Starts additional tasks. */
  void start(List<Work> works) {
    threads.removeIf(thread -> !thread.isAlive());
    List<Thread> more = new ArrayList<>();
    for (Work work : works) {
      Thread thread = new Thread(() -> guarded(work), "trainyard-log");
      // The command may exit before a log ends, for example after a second Ctrl-C.
      thread.setDaemon(true);
      more.add(thread);
    }
    more.forEach(Thread::start);
    threads.addAll(more);
  }

  boolean hasFailed() {
    return failure.get() != null;
  }

  private void guarded(Work work) {
    try {
      work.run();
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
  boolean isOverWithin(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    for (Thread thread : threads) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left > 0 && failure.get() == null) {
        thread.join(left);
      }
    }
    return isFinished();
  }

  void join() throws InterruptedException {
    while (!isOverWithin(1_000)) {
      // A failure of one task must be reported without waiting for the others.
    }
    if (failure.get() != null) {
      throw failure.get();
    }
  }
}
