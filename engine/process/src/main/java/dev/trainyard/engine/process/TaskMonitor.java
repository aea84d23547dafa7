package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskObservation;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the state of tasks and notifies the watcher. A task's supervisor records the end and
 * then exits, which the kernel reports whichever process started the supervisor; therefore nothing
 * is polled.
 */
final class TaskMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMonitor.class);
  private static final int ERROR_BYTES = 4096;
  private static final Duration CLAIM_TO_SUPERVISOR = Duration.ofSeconds(10);
  private static final int RETRY_MILLISECONDS = 50;

  private final EngineEnvironment engineEnvironment;
  private final ScheduledExecutorService notifier =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("engine-observer").factory());

  /**
   * When a claim without a supervisor was first seen, by a monotonic clock, because other clocks
   * can be set back.
   */
  private final Map<TaskId, Long> claimsSeen = new ConcurrentHashMap<>();

  private volatile Consumer<TaskObservation> observer = _ -> {};

  TaskMonitor(EngineEnvironment engineEnvironment) {
    this.engineEnvironment = engineEnvironment;
  }

  void watch(Consumer<TaskObservation> newObserver) {
    observer = newObserver;
  }

  void started(TaskDirectory task, PidFd supervisor) {
    notifyWatcher(TaskObservation.running(task.id()));
    follow(task, supervisor);
  }

  private void follow(TaskDirectory task, PidFd supervisor) {
    var _ = supervisor.onExit().thenRun(() -> supervisorEnded(task));
  }

  /** Monitors a task that an earlier server started. */
  void adopt(TaskDirectory task) {
    try {
      if (task.hasEnded() || !task.isClaimed()) {
        return;
      }
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isEmpty()) {
        if (look(task).filter(seen -> seen.end().isEmpty()).isPresent()) {
          var _ = notifier.schedule(() -> adopt(task), RETRY_MILLISECONDS, TimeUnit.MILLISECONDS);
        } else {
          reportEnd(task);
        }
        return;
      }
      Optional<PidFd> process = engineEnvironment.supervisors().hold(supervisor.get());
      process.ifPresentOrElse(held -> follow(task, held), () -> supervisorEnded(task));
    } catch (NoSuchFileException | RejectedExecutionException e) {
      LOG.debug("task {} was removed, or this engine is closed", task.id());
    } catch (IOException e) {
      LOG.error("failed to monitor task {}", task.id(), e);
    }
  }

  /**
   * Called when the supervisor has exited, usually after its record; without a record the task is
   * lost.
   */
  private void supervisorEnded(TaskDirectory task) {
    try {
      if (Files.exists(task.path()) && !task.isClaimed() && task.claim()) {
        String why = head(task.file("error"), ERROR_BYTES).strip();
        task.recordEnd(EndRecord.byPlatform(ExitReason.START_FAILED, why));
      }
    } catch (NoSuchFileException e) {
      LOG.debug("task {} is removed", task.id());
    } catch (IOException e) {
      LOG.error("task {} failed to start, and the failure could not be recorded", task.id(), e);
    }
    reportEnd(task);
  }

  /** Reports an end that is recorded, or that can be determined now. */
  void reportEnd(TaskDirectory task) {
    try {
      notifier.execute(() -> look(task).ifPresent(this::reportNow));
    } catch (RejectedExecutionException e) {
      // closed; the next server process finds the end
    }
  }

  /**
   * Returns the current state of a task, and records a loss if there is one. Empty if the task does
   * not exist.
   */
  Optional<TaskObservation> look(TaskDirectory task) {
    try {
      TaskState state = task.state();
      if (state.end().isEmpty()) {
        if (!task.isReserved()) {
          return Optional.empty(); // or incomplete; then it can be reserved again
        }
        if (!task.isClaimed()) {
          return Optional.of(TaskObservation.reserved(task.id()));
        }
        Optional<EndRecord> loss = loss(task);
        if (loss.isPresent()) {
          task.recordEnd(loss.get());
        }
        state = task.state();
        if (state.end().isEmpty()) {
          return Optional.of(TaskObservation.running(task.id()));
        }
      }
      return Optional.of(TaskObservation.ended(task.id(), understood(task, state)));
    } catch (NoSuchFileException e) {
      return Optional.empty(); // removed at the same time
    } catch (IOException e) {
      throw new EngineException("task " + task.id() + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the end to record if none is recorded and no other process will record one. */
  private Optional<EndRecord> loss(TaskDirectory task) throws IOException {
    var supervisor = task.supervisor();
    if (supervisor.isEmpty()) {
      long seen = claimsSeen.computeIfAbsent(task.id(), _ -> System.nanoTime());
      boolean waiting = System.nanoTime() - seen < CLAIM_TO_SUPERVISOR.toNanos();
      return waiting ? Optional.empty() : lost("its supervisor ended before it started the task");
    }
    claimsSeen.remove(task.id());
    if (!engineEnvironment.supervisors().isOfThisBoot(supervisor.get())) {
      return Optional.of(
          EndRecord.byPlatform(ExitReason.NODE_LOST, "the node was restarted while it ran"));
    }
    // The order matters: the record is written before the supervisor exits.
    boolean gone = !engineEnvironment.supervisors().isAlive(supervisor.get());
    if (!gone || task.hasEnded()) {
      return Optional.empty();
    }
    return task.isStopped()
        ? Optional.of(EndRecord.killed(ExitReason.STOPPED, "its supervisor was killed"))
        : lost("its supervisor was killed");
  }

  private static Optional<EndRecord> lost(String detail) {
    return Optional.of(EndRecord.killed(ExitReason.SUPERVISOR_LOST, detail));
  }

  private static TaskEnd understood(TaskDirectory task, TaskState state) throws IOException {
    return state
        .end()
        .orElseThrow()
        .understood(
            state.started(),
            state.started() ? "" : head(task.file("error"), ERROR_BYTES),
            task.isStopped(),
            Files.getLastModifiedTime(task.file("state")).toInstant());
  }

  private static String head(Path file, int bytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private void notifyWatcher(TaskObservation observation) {
    try {
      notifier.execute(() -> reportNow(observation));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed before the change of {} was reported", observation.id());
    }
  }

  private void reportNow(TaskObservation observation) {
    try {
      observer.accept(observation);
    } catch (RuntimeException e) {
      LOG.error("the watcher failed for task {}", observation.id(), e);
    }
  }

  @Override
  public void close() {
    notifier.shutdownNow();
  }
}
