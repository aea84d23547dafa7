package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears away what is left of tasks, in the background. What a task had is out of its place before
 * anybody is told that it is gone; if the server ends before the rest is deleted, the next one
 * finds it in the trash, or by its label.
 */
final class Removal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Removal.class);
  private static final int PATIENCE_SECONDS = 10;

  private final Workplace workplace;
  private final Map<TaskId, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();
  private final ExecutorService executor =
      Executors.newFixedThreadPool(
          2, Thread.ofPlatform().daemon().name("engine-removal-", 0).factory());

  Removal(Workplace workplace) {
    this.workplace = workplace;
  }

  /** All its processes are gone. */
  void remove(TaskDirectory task) throws IOException {
    Path gone = workplace.trash().take(task.path());
    try {
      var done = CompletableFuture.runAsync(() -> clear(task.id(), gone), executor);
      underWay.put(task.id(), done);
      var _ = done.whenComplete((_, _) -> underWay.remove(task.id(), done));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed; the next engine clears {} away", task.id());
    }
  }

  private void clear(TaskId task, Path directory) {
    try {
      if (workplace.limits().isPresent()) {
        workplace.limits().get().remove(task.toString());
      }
      Trash.deleteTree(directory);
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

  /** What servers before this one left: called before anything is reserved or removed. */
  void clearLeftovers() {
    try {
      workplace.trash().empty();
      for (TaskDirectory task : workplace.directories()) {
        if (!task.isReserved()) {
          remove(task);
        }
      }
      if (workplace.limits().isPresent()) {
        for (String task : workplace.limits().get().tasks()) {
          if (!workplace.task(TaskId.parse(task)).isReserved()) {
            workplace.limits().get().remove(task);
          }
        }
      }
    } catch (IOException e) {
      throw new EngineException("leftovers can't be cleared away: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        LOG.info("some of what tasks left is cleared away at the next start");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
