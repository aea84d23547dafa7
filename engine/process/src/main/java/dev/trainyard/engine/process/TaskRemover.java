package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up after tasks in the background. A task's files are moved away before the task is
 * reported as removed; if the server ends before they are deleted, the next server process finds
 * them in the trash, or its control groups by their label.
 *
 * <p>Most tasks change no host files and leave only a few tiny files. These are deleted when the
 * engine is idle, so that a burst of short tasks is not slowed down by the cleanup of earlier ones.
 */
final class TaskRemover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRemover.class);
  private static final int PATIENCE_SECONDS = 10;
  private static final int MOST_SMALL = 5_000;
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration QUIET = Duration.ofSeconds(1);

  private final EngineEnvironment engineEnvironment;
  private final Map<TaskId, CompletableFuture<Void>> pendingRemovals = new ConcurrentHashMap<>();
  private final Queue<Path> small = new ConcurrentLinkedQueue<>();
  private final AtomicInteger smallCount = new AtomicInteger();
  private volatile long lastRemoval = System.nanoTime();
  private final ScheduledExecutorService executor =
      Executors.newScheduledThreadPool(
          2, Thread.ofPlatform().daemon().name("engine-removal-", 0).factory());

  TaskRemover(EngineEnvironment engineEnvironment) {
    this.engineEnvironment = engineEnvironment;
    var _ =
        executor.scheduleWithFixedDelay(
            this::clearSmall, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Removes a task all of whose processes have ended. */
  void remove(TaskDirectory task) throws IOException {
    Path gone = engineEnvironment.trash().take(task.path());
    lastRemoval = System.nanoTime();
    try {
      var done = CompletableFuture.runAsync(() -> clear(task.id(), gone), executor);
      pendingRemovals.put(task.id(), done);
      var _ = done.whenComplete((_, _) -> pendingRemovals.remove(task.id(), done));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed; the next engine cleans up after {}", task.id());
    }
  }

  private void clearSmall() {
    boolean quiet = System.nanoTime() - lastRemoval > QUIET.toNanos();
    while (quiet || smallCount.get() > MOST_SMALL) {
      Path next = small.poll();
      if (next == null) {
        return;
      }
      smallCount.decrementAndGet();
      delete(next);
      quiet = quiet && System.nanoTime() - lastRemoval > QUIET.toNanos();
    }
  }

  private void clear(TaskId task, Path directory) {
    try {
      if (engineEnvironment.limits().isPresent()) {
        engineEnvironment.limits().get().remove(task.toString());
      }
      if (Trash.isSmall(directory)) {
        small.add(directory);
        smallCount.incrementAndGet();
      } else {
        Trash.deleteTree(directory);
      }
    } catch (IOException e) {
      LOG.warn("failed to clean up after task {}", task, e);
    }
  }

  /** Waits for a pending removal before a task with the same ID is created again. */
  void await(TaskId task) {
    CompletableFuture<Void> pending = pendingRemovals.get(task);
    if (pending != null) {
      pending.join();
    }
  }

  /**
   * Cleans up what earlier servers left; called before any task is reserved or removed. It searches
   * now and deletes in the background, because there may be many files.
   */
  void clearLeftovers() {
    try {
      List<Path> trash = engineEnvironment.trash().list();
      executor.execute(() -> trash.forEach(TaskRemover::delete));
      engineEnvironment.warnOfForeignNames();
      for (TaskDirectory task : engineEnvironment.directories()) {
        if (!task.isReserved()) {
          remove(task);
        }
      }
      if (engineEnvironment.limits().isPresent()) {
        for (String name : engineEnvironment.limits().get().tasks()) {
          Optional<TaskDirectory> task = EngineEnvironment.id(name).map(engineEnvironment::task);
          if (task.isEmpty()) {
            LOG.warn("the control group {} does not belong to a task and is ignored", name);
          } else if (!task.get().isReserved()) {
            remove(task.get());
          }
        }
      }
    } catch (IOException e) {
      throw new EngineException("failed to find files of earlier servers: " + e.getMessage(), e);
    }
  }

  private static void delete(Path tree) {
    try {
      Trash.deleteTree(tree);
    } catch (IOException e) {
      LOG.warn("failed to delete {}", tree, e);
    }
  }

  @Override
  public void close() {
    executor.shutdown();
    smallCount.set(0); // the remaining files are left to the next engine
    small.clear();
    try {
      if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        LOG.info("cleanup after some tasks will continue at the next start");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
