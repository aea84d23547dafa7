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
 * Kills tasks that exceed their memory request. Used only if no control groups are available, for
 * example because the server runs as an ordinary user; with control groups, the kernel enforces the
 * limit. This class polls twice a second, so a task may exceed the limit briefly, and it kills all
 * processes of the task, not only the largest one.
 */
final class MemoryLimitEnforcer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryLimitEnforcer.class);
  private static final int PERIOD_MILLISECONDS = 500;

  private final TaskStopper taskStopper;
  private final Map<TaskDirectory, Long> limits = new ConcurrentHashMap<>();
  private final Set<TaskDirectory> reportedTasks = new HashSet<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("engine-memory").factory());

  MemoryLimitEnforcer(TaskStopper taskStopper) {
    this.taskStopper = taskStopper;
    var _ =
        executor.scheduleWithFixedDelay(
            this::checkAll, PERIOD_MILLISECONDS, PERIOD_MILLISECONDS, TimeUnit.MILLISECONDS);
  }

  /** Enforces the limit until the task ends. A request of 0 bytes means no limit. */
  void enforce(TaskDirectory task, long bytes) {
    if (bytes > 0) {
      limits.put(task, bytes);
    }
  }

  private void checkAll() {
    if (!limits.isEmpty()) {
      ProcessTree tree = ProcessTree.read();
      limits.entrySet().removeIf(limit -> checkTask(limit.getKey(), limit.getValue(), tree));
      reportedTasks.retainAll(limits.keySet());
    }
  }

  /** Returns whether the task has ended; kills a task that exceeds its limit. */
  private boolean checkTask(TaskDirectory task, long limit, ProcessTree tree) {
    try {
      if (task.hasEnded()) {
        return true;
      }
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isPresent()
          && tree.usesMoreThan(limit, supervisor.get().pid(), () -> reportIncomplete(task))) {
        LOG.info("task {} exceeds its memory limit of {} bytes", task.id(), limit);
        createIfMissing(task.file("oom"));
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
    if (reportedTasks.add(task)) {
      LOG.warn("task {} has too many open descriptors to count all its memory files", task.id());
    }
  }

  private static void createIfMissing(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // The file was created by an earlier check, and the task has not ended yet.
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
