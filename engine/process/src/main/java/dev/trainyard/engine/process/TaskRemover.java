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
 * reported as removed. If the server ends before the cleanup is complete, the next server process
 * finds the files in the trash and the control groups by their label.
 *
 * <p>Most tasks change no host files and leave only a few small files. These are deleted when the
 * engine is idle, so that the cleanup does not slow down a burst of short tasks.
 */
final class TaskRemover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRemover.class);
  private static final int CLOSE_TIMEOUT_SECONDS = 10;
  private static final int MAX_SMALL_DIRECTORIES = 5_000;
  private static final Duration CLEANUP_INTERVAL = Duration.ofMillis(500);
  private static final Duration MIN_IDLE_TIME = Duration.ofSeconds(1);

  private final EngineEnvironment engineEnvironment;
  private final Map<TaskId, CompletableFuture<Void>> pendingRemovals = new ConcurrentHashMap<>();
  private final Queue<Path> smallDirectories = new ConcurrentLinkedQueue<>();
  private final AtomicInteger smallDirectoryCount = new AtomicInteger();
  private volatile long lastRemoval = System.nanoTime();
  private final ScheduledExecutorService executor =
      Executors.newScheduledThreadPool(
          2, Thread.ofPlatform().daemon().name("engine-removal-", 0).factory());

  TaskRemover(EngineEnvironment engineEnvironment) {
    this.engineEnvironment = engineEnvironment;
    var _ =
        executor.scheduleWithFixedDelay(
            this::deleteSmallDirectories,
            CLEANUP_INTERVAL.toMillis(),
            CLEANUP_INTERVAL.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** Removes a task. The caller ensures that all processes of the task have ended. */
  void remove(TaskDirectory task) throws IOException {
    Path trashed = engineEnvironment.trash().add(task.path());
    lastRemoval = System.nanoTime();
    try {
      var removal = CompletableFuture.runAsync(() -> cleanUp(task.id(), trashed), executor);
      pendingRemovals.put(task.id(), removal);
      var _ = removal.whenComplete((_, _) -> pendingRemovals.remove(task.id(), removal));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed; the next engine cleans up after {}", task.id());
    }
  }

  private void deleteSmallDirectories() {
    boolean idle = System.nanoTime() - lastRemoval > MIN_IDLE_TIME.toNanos();
    while (idle || smallDirectoryCount.get() > MAX_SMALL_DIRECTORIES) {
      Path directory = smallDirectories.poll();
      if (directory == null) {
        return;
      }
      smallDirectoryCount.decrementAndGet();
      delete(directory);
      idle = idle && System.nanoTime() - lastRemoval > MIN_IDLE_TIME.toNanos();
    }
  }

  private void cleanUp(TaskId task, Path directory) {
    try {
      if (engineEnvironment.controlGroups().isPresent()) {
        engineEnvironment.controlGroups().get().remove(task.toString());
      }
      if (Trash.isSmall(directory)) {
        smallDirectories.add(directory);
        smallDirectoryCount.incrementAndGet();
      } else {
        Trash.deleteTree(directory);
      }
    } catch (IOException e) {
      LOG.warn("failed to clean up after task {}", task, e);
    }
  }

  /** Waits for a pending removal before a task with the same ID is created again. */
  void awaitRemoval(TaskId task) {
    CompletableFuture<Void> pendingRemoval = pendingRemovals.get(task);
    if (pendingRemoval != null) {
      pendingRemoval.join();
    }
  }

  /**
   * Deletes the files and control groups that earlier server processes left behind; called before
   * any task is reserved or removed. Searches immediately and deletes in the background, because
   * there may be many files.
   */
  void cleanUpLeftovers() {
    try {
      List<Path> trashedDirectories = engineEnvironment.trash().list();
      executor.execute(() -> trashedDirectories.forEach(TaskRemover::delete));
      engineEnvironment.warnOfForeignNames();
      for (TaskDirectory task : engineEnvironment.directories()) {
        if (!task.isReserved()) {
          remove(task);
        }
      }
      if (engineEnvironment.controlGroups().isPresent()) {
        for (String name : engineEnvironment.controlGroups().get().taskNames()) {
          Optional<TaskDirectory> task =
              EngineEnvironment.parseTaskId(name).map(engineEnvironment::task);
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
    smallDirectoryCount.set(0); // the remaining files are left to the next engine
    smallDirectories.clear();
    try {
      if (!executor.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        LOG.info("cleanup after some tasks will continue at the next start");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
