package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
 * Clears away what is left of tasks, in the background. What a task had is out of its place before
 * anybody is told that it is gone; if the server ends before the rest is deleted, the next one
 * finds it in the trash, or by its label.
 *
 * <p>Most tasks change nothing of the machine's files, and what is left of them is a handful of
 * tiny files. Those wait until nothing else is to be done: a burst of short tasks is not slowed
 * down by the remains of those before.
 */
final class TaskRemover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRemover.class);
  private static final int PATIENCE_SECONDS = 10;
  private static final int MOST_SMALL = 5_000;
  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration QUIET = Duration.ofSeconds(1);

  private final EngineEnvironment engineEnvironment;
  private final Map<TaskId, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();
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

  /** All its processes are gone. */
  void remove(TaskDirectory task) throws IOException {
    Path gone = engineEnvironment.trash().take(task.path());
    lastRemoval = System.nanoTime();
    try {
      var done = CompletableFuture.runAsync(() -> clear(task.id(), gone), executor);
      underWay.put(task.id(), done);
      var _ = done.whenComplete((_, _) -> underWay.remove(task.id(), done));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed; the next engine clears {} away", task.id());
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
      LOG.warn("what task {} left can't be cleared away now", task, e);
    }
  }

  /** Before a task of the same name is made anew. */
  void await(TaskId task) {
    CompletableFuture<Void> pending = underWay.get(task);
    if (pending != null) {
      pending.join();
    }
  }

  /**
   * What servers before this one left: called before anything is reserved or removed. It is found
   * now and cleared away in the background, as there may be much of it.
   */
  void clearLeftovers() {
    try {
      List<Path> trash = engineEnvironment.trash().list();
      executor.execute(() -> trash.forEach(TaskRemover::delete));
      for (TaskDirectory task : engineEnvironment.directories()) {
        if (!task.isReserved()) {
          remove(task);
        }
      }
      if (engineEnvironment.limits().isPresent()) {
        for (String name : engineEnvironment.limits().get().tasks()) {
          TaskDirectory task = engineEnvironment.task(TaskId.parse(name));
          if (!task.isReserved()) {
            remove(task);
          }
        }
      }
    } catch (IOException e) {
      throw new EngineException("leftovers can't be found: " + e.getMessage(), e);
    }
  }

  private static void delete(Path tree) {
    try {
      Trash.deleteTree(tree);
    } catch (IOException e) {
      LOG.warn("{} can't be deleted now", tree, e);
    }
  }

  @Override
  public void close() {
    executor.shutdown();
    smallCount.set(0); // whatever waits is left to the next engine
    small.clear();
    try {
      if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        LOG.info("some of what tasks left is cleared away at the next start");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
