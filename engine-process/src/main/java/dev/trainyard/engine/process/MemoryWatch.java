package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends tasks that use more memory than they asked for, where the kernel does not: a server run by
 * an ordinary user has no control groups. It looks a few times a second, so a task may use more for
 * a moment; and it ends the whole task, not the process that is worst.
 */
final class MemoryWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
  private static final int PERIOD_MILLISECONDS = 500;

  private record Watched(TaskDirectory task, long bytes) {}

  private final Stops stops;
  private final Map<TaskDirectory, Watched> watched = new ConcurrentHashMap<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("engine-memory").factory());

  MemoryWatch(Stops stops) {
    this.stops = stops;
    var _ =
        executor.scheduleWithFixedDelay(
            this::look, PERIOD_MILLISECONDS, PERIOD_MILLISECONDS, TimeUnit.MILLISECONDS);
  }

  /** Until its end. Who asked for no memory set no limit. */
  void follow(TaskDirectory task, long bytes) {
    if (bytes > 0) {
      watched.put(task, new Watched(task, bytes));
    }
  }

  private void look() {
    if (watched.isEmpty()) {
      return;
    }
    ProcessTree tree = ProcessTree.read();
    for (Watched one : List.copyOf(watched.values())) {
      try {
        if (one.task().hasEnded()) {
          watched.remove(one.task());
        } else {
          check(one, tree);
        }
      } catch (NoSuchFileException e) {
        watched.remove(one.task());
      } catch (IOException | RuntimeException e) {
        LOG.warn("the memory of task {} can't be watched now", one.task().id(), e);
      }
    }
  }

  private void check(Watched one, ProcessTree tree) throws IOException {
    Optional<TaskDirectory.Supervisor> supervisor = one.task().supervisor();
    if (supervisor.isEmpty()) {
      return;
    }
    int first = supervisor.get().pid();
    // Pages that processes share are counted for each at first, which costs little to find out.
    if (tree.resident(first) > one.bytes() && tree.proportional(first) > one.bytes()) {
      LOG.info("task {} uses more than its {} bytes of memory", one.task().id(), one.bytes());
      mark(one.task().file("oom"));
      stops.killProcesses(one.task());
    }
  }

  private static void mark(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // it takes a moment to end
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
