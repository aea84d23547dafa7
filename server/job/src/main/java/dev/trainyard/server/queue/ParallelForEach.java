package dev.trainyard.server.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Runs an action for each element of a list, with limited concurrency. */
final class ParallelForEach {
  private static final int MAX_CONCURRENCY = 8;

  private ParallelForEach() {}

  /**
   * Returns when all actions are done. After a failure no further action is started, and the first
   * failure is thrown.
   */
  static <T> void run(Executor threads, List<T> items, Consumer<T> action) {
    if (items.size() == 1) {
      action.accept(items.getFirst());
      return;
    }
    try {
      begin(threads, items, action).join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  /** Returns the exception that caused a failure; throws it if it is an Error. */
  static RuntimeException failure(CompletionException wrapped) {
    return switch (wrapped.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      default -> wrapped;
    };
  }

  /**
   * Like {@link #run}, but does not wait. The future is completed only when no action is running
   * any more, even after a failure.
   */
  static <T> CompletableFuture<Void> begin(Executor threads, List<T> items, Consumer<T> action) {
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean failed = new AtomicBoolean();
    Runnable worker =
        () -> {
          for (int i = next.getAndIncrement();
              i < items.size() && !failed.get();
              i = next.getAndIncrement()) {
            boolean done = false;
            try {
              action.accept(items.get(i));
              done = true;
            } finally {
              if (!done) {
                failed.set(true);
              }
            }
          }
        };
    List<CompletableFuture<Void>> workers = new ArrayList<>();
    for (int i = 0; i < Math.min(MAX_CONCURRENCY, items.size()); i++) {
      workers.add(CompletableFuture.runAsync(worker, threads));
    }
    return CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new));
  }
}
