package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.ExitReason;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends tasks: politely with a grace, or at once. */
final class Stops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Stops.class);
  private static final Duration KILL_DEADLINE = Duration.ofSeconds(10);

  /** What the task has printed before its end may need that long to get to the logs. */
  private static final Duration COPY_DEADLINE = Duration.ofSeconds(3);

  private final Workplace workplace;
  private final ExecutorService stopping = Executors.newVirtualThreadPerTaskExecutor();

  Stops(Workplace workplace) {
    this.workplace = workplace;
  }

  /** Returns at once. The marker tells a later server too that this end was asked for. */
  void stop(TaskDirectory task, Duration grace) {
    try {
      if (task.hasEnded()) {
        return;
      }
      task.markStopped();
      if (task.claim()) {
        task.recordEnd(EndRecord.byPlatform(ExitReason.STOPPED, ""));
        return;
      }
    } catch (NoSuchFileException e) {
      return; // no such task
    } catch (IOException e) {
      throw new EngineException("the task can't be stopped: " + e.getMessage(), e);
    }
    long end = System.nanoTime() + grace.toNanos();
    stopping.execute(() -> terminate(task, end));
  }

  private void terminate(TaskDirectory task, long end) {
    try {
      boolean asked = false;
      long lastKill = end;
      while (!task.hasEnded() && isRunning(task)) {
        Optional<ProcessHandle> first = firstProcess(task);
        long now = System.nanoTime();
        if (now - end > 0) {
          if (first.isPresent()) {
            first.get().destroyForcibly();
            lastKill = now;
          } else if (now - lastKill > COPY_DEADLINE.toNanos()) {
            killCopiers(task);
            lastKill = now;
          }
        } else if (!asked && first.isPresent() && Supervisors.listensToTerm(first.get())) {
          first.get().destroy();
          asked = true;
        }
        Pause.briefly();
      }
    } catch (IOException e) {
      LOG.error("task {} can't be stopped", task.id(), e);
    }
  }

  /**
   * A task may hand its output to a process of another task, which then keeps it open: the copiers
   * would wait for its end for ever, and the supervisor for them. Without them it writes the end.
   */
  private static void killCopiers(TaskDirectory task) throws IOException {
    task.supervisor().flatMap(supervisor -> ProcessHandle.of(supervisor.pid())).stream()
        .flatMap(ProcessHandle::descendants)
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** A supervisor that has made its claim has not always written its line yet. */
  private boolean isRunning(TaskDirectory task) throws IOException {
    var supervisor = task.supervisor();
    return task.isClaimed()
        && (supervisor.isEmpty() || workplace.supervisors().isAlive(supervisor.get()));
  }

  private Optional<ProcessHandle> firstProcess(TaskDirectory task) throws IOException {
    return task.supervisor().flatMap(workplace.supervisors()::firstProcess);
  }

  /** Kills all that belongs to the task and waits until it is gone; it can't start any more. */
  void kill(TaskDirectory task) throws IOException {
    try {
      task.claim();
    } catch (NoSuchFileException e) {
      return;
    }
    var supervisor = task.supervisor();
    if (supervisor.isEmpty() || !workplace.supervisors().isAlive(supervisor.get())) {
      return;
    }
    List<ProcessHandle> all =
        ProcessHandle.of(supervisor.get().pid()).stream()
            .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
            .toList();
    all.forEach(ProcessHandle::destroyForcibly);
    long end = System.nanoTime() + KILL_DEADLINE.toNanos();
    while (all.stream().anyMatch(Supervisors::isRunning)) {
      if (System.nanoTime() > end) {
        throw new IOException("its processes don't end");
      }
      Pause.briefly();
    }
  }

  /** A stop under way stays asked for; whoever comes next asks again. */
  @Override
  public void close() {
    stopping.shutdownNow();
  }
}
