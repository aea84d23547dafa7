package dev.trainyard.server.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Does the same for many things, a few at a time. */
final class ParallelForEach {
  private static final int AT_A_TIME = 8;

  private ParallelForEach() {}

  /**
   * Returns when all is done; after a failure no more is begun, and the first failure comes out.
   */
  static <T> void run(Executor threads, List<T> things, Consumer<T> action) {
    if (things.size() == 1) {
      action.accept(things.getFirst());
      return;
    }
    try {
      begin(threads, things, action).join();
    } catch (CompletionException e) {
      throw failure(e);
    }
  }

  /** The failure itself, however it came. */
  static RuntimeException failure(CompletionException wrapped) {
    return switch (wrapped.getCause()) {
      case RuntimeException cause -> cause;
      case Error cause -> throw cause;
      default -> wrapped;
    };
  }

  /** The same without waiting for it; whatever happens, it is done when nothing is under way. */
  static <T> CompletableFuture<Void> begin(Executor threads, List<T> things, Consumer<T> action) {
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean failed = new AtomicBoolean();
    Runnable worker =
        () -> {
          for (int i = next.getAndIncrement();
              i < things.size() && !failed.get();
              i = next.getAndIncrement()) {
            boolean done = false;
            try {
              action.accept(things.get(i));
              done = true;
            } finally {
              if (!done) {
                failed.set(true);
              }
            }
          }
        };
    List<CompletableFuture<Void>> workers = new ArrayList<>();
    for (int i = 0; i < Math.min(AT_A_TIME, things.size()); i++) {
      workers.add(CompletableFuture.runAsync(worker, threads));
    }
    return CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new));
  }
}
