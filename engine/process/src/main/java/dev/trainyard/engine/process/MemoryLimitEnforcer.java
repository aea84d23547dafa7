package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills tasks that exceed their memory request where the kernel does not, because a server that
 * runs as an ordinary user has no control groups. It polls twice a second, so a task may exceed the
 * limit briefly; and it kills the whole task, not only the largest process.
 */
final class MemoryLimitEnforcer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryLimitEnforcer.class);
  private static final int PERIOD_MILLISECONDS = 500;

  private final TaskStopper taskStopper;
  private final Map<TaskDirectory, Long> limits = new ConcurrentHashMap<>();
  private final Set<TaskDirectory> reported = new HashSet<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("engine-memory").factory());

  MemoryLimitEnforcer(TaskStopper taskStopper) {
    this.taskStopper = taskStopper;
    var _ =
        executor.scheduleWithFixedDelay(
            this::look, PERIOD_MILLISECONDS, PERIOD_MILLISECONDS, TimeUnit.MILLISECONDS);
  }

  /** Enforces the limit until the task ends. A request of 0 bytes means no limit. */
  void follow(TaskDirectory task, long bytes) {
    if (bytes > 0) {
      limits.put(task, bytes);
    }
  }

  private void look() {
    if (!limits.isEmpty()) {
      ProcessTree tree = ProcessTree.read();
      limits.entrySet().removeIf(limit -> isFinished(limit.getKey(), limit.getValue(), tree));
      reported.retainAll(limits.keySet());
    }
  }

  /** Returns whether the task has ended; kills it if it exceeds its limit. */
  private boolean isFinished(TaskDirectory task, long limit, ProcessTree tree) {
    try {
      if (task.hasEnded()) {
        return true;
      }
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isPresent()
          && tree.usesMoreThan(limit, supervisor.get().pid(), () -> reportIncomplete(task))) {
        LOG.info("task {} exceeds its memory limit of {} bytes", task.id(), limit);
        mark(task.file("oom"));
        taskStopper.killProcesses(task);
      }
      return false;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.warn("failed to check the memory usage of task {}", task.id(), e);
      return false;
    }
  }

  private void reportIncomplete(TaskDirectory task) {
    if (reported.add(task)) {
      LOG.warn("task {} has too many open descriptors to count all its memory files", task.id());
    }
  }

  private static void mark(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // already marked; the task takes a moment to end
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
