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
 * Determines the state of tasks and notifies the observer. A task's supervisor records the end and
 * then exits. The kernel reports this exit regardless of which process started the supervisor, so
 * no polling is necessary.
 */
final class TaskMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskMonitor.class);
  private static final int ERROR_BYTES = 4096;
  private static final Duration SUPERVISOR_TIMEOUT = Duration.ofSeconds(10);
  private static final int RETRY_MILLISECONDS = 50;

  private final EngineEnvironment engineEnvironment;
  private final ScheduledExecutorService notifier =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("engine-observer").factory());

  /**
   * Time at which a claim without a supervisor was first observed, from a monotonic clock, because
   * other clocks can be set back.
   */
  private final Map<TaskId, Long> firstClaimTimes = new ConcurrentHashMap<>();

  private volatile Consumer<TaskObservation> observer = _ -> {};

  TaskMonitor(EngineEnvironment engineEnvironment) {
    this.engineEnvironment = engineEnvironment;
  }

  void watch(Consumer<TaskObservation> newObserver) {
    observer = newObserver;
  }

  void onStarted(TaskDirectory task, PidFd supervisor) {
    notifyObserverAsync(TaskObservation.running(task.id()));
    reportOnExit(task, supervisor);
  }

  private void reportOnExit(TaskDirectory task, PidFd supervisor) {
    var _ = supervisor.onExit().thenRun(() -> supervisorEnded(task));
  }

  /** Monitors a task that an earlier server process started. */
  void adopt(TaskDirectory task) {
    try {
      if (task.hasEnded() || !task.isClaimed()) {
        return;
      }
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isEmpty()) {
        if (observe(task).filter(observation -> observation.end().isEmpty()).isPresent()) {
          var _ = notifier.schedule(() -> adopt(task), RETRY_MILLISECONDS, TimeUnit.MILLISECONDS);
        } else {
          reportEnd(task);
        }
        return;
      }
      Optional<PidFd> process = engineEnvironment.supervisors().open(supervisor.get());
      process.ifPresentOrElse(pidFd -> reportOnExit(task, pidFd), () -> supervisorEnded(task));
    } catch (NoSuchFileException | RejectedExecutionException e) {
      LOG.debug("task {} was removed, or this engine is closed", task.id());
    } catch (IOException e) {
      LOG.error("failed to monitor task {}", task.id(), e);
    }
  }

  /**
   * Handles the exit of the supervisor. Usually the supervisor has recorded the end of the task; if
   * it has not, the task is lost.
   */
  private void supervisorEnded(TaskDirectory task) {
    try {
      if (Files.exists(task.path()) && !task.isClaimed() && task.claim()) {
        String errorOutput = readHead(task.file("error"), ERROR_BYTES).strip();
        task.recordEnd(EndRecord.withoutExitCode(ExitReason.START_FAILED, errorOutput));
      }
    } catch (NoSuchFileException e) {
      LOG.debug("task {} was removed", task.id());
    } catch (IOException e) {
      LOG.error("task {} failed to start, and the failure could not be recorded", task.id(), e);
    }
    reportEnd(task);
  }

  /** Reports the end of a task if the end is recorded or can be determined now. */
  void reportEnd(TaskDirectory task) {
    try {
      notifier.execute(() -> observe(task).ifPresent(this::notifyObserver));
    } catch (RejectedExecutionException e) {
      // This engine is closed; the next server process finds the end.
    }
  }

  /**
   * Returns the current state of a task; empty if the task does not exist. If the task is lost,
   * records the loss as its end.
   */
  Optional<TaskObservation> observe(TaskDirectory task) {
    try {
      TaskState state = task.state();
      if (state.end().isEmpty()) {
        if (!task.isReserved()) {
          return Optional.empty(); // missing, or incomplete and can be reserved again
        }
        if (!task.isClaimed()) {
          return Optional.of(TaskObservation.reserved(task.id()));
        }
        Optional<EndRecord> loss = findLoss(task);
        if (loss.isPresent()) {
          task.recordEnd(loss.get());
        }
        state = task.state();
        if (state.end().isEmpty()) {
          return Optional.of(TaskObservation.running(task.id()));
        }
      }
      return Optional.of(TaskObservation.ended(task.id(), taskEnd(task, state)));
    } catch (NoSuchFileException e) {
      return Optional.empty(); // the task was removed at the same time
    } catch (IOException e) {
      throw new EngineException("task " + task.id() + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the end to record for a lost task, whose end no other process will record; empty if the
   * task is not lost.
   */
  private Optional<EndRecord> findLoss(TaskDirectory task) throws IOException {
    var supervisor = task.supervisor();
    if (supervisor.isEmpty()) {
      long claimTime = firstClaimTimes.computeIfAbsent(task.id(), _ -> System.nanoTime());
      boolean waiting = System.nanoTime() - claimTime < SUPERVISOR_TIMEOUT.toNanos();
      return waiting
          ? Optional.empty()
          : lossRecord("the supervisor ended before it started the task");
    }
    firstClaimTimes.remove(task.id());
    if (!engineEnvironment.supervisors().isOfThisBoot(supervisor.get())) {
      return Optional.of(
          EndRecord.withoutExitCode(
              ExitReason.NODE_LOST, "the node was restarted while the task ran"));
    }
    // The supervisor is checked before the record, because a supervisor writes the record before it
    // exits.
    boolean supervisorExited = !engineEnvironment.supervisors().isAlive(supervisor.get());
    if (!supervisorExited || task.hasEnded()) {
      return Optional.empty();
    }
    return task.isStopped()
        ? Optional.of(
            EndRecord.ofKilledTask(ExitReason.STOPPED, "the supervisor of the task was killed"))
        : lossRecord("the supervisor of the task was killed");
  }

  private static Optional<EndRecord> lossRecord(String detail) {
    return Optional.of(EndRecord.ofKilledTask(ExitReason.SUPERVISOR_LOST, detail));
  }

  private static TaskEnd taskEnd(TaskDirectory task, TaskState state) throws IOException {
    return state
        .end()
        .orElseThrow()
        .toTaskEnd(
            state.started(),
            state.started() ? "" : readHead(task.file("error"), ERROR_BYTES),
            task.isStopped(),
            Files.getLastModifiedTime(task.file("state")).toInstant());
  }

  private static String readHead(Path file, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(maxBytes), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private void notifyObserverAsync(TaskObservation observation) {
    try {
      notifier.execute(() -> notifyObserver(observation));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed before the change of {} was reported", observation.id());
    }
  }

  private void notifyObserver(TaskObservation observation) {
    try {
      observer.accept(observation);
    } catch (RuntimeException e) {
      LOG.error("the observer failed for task {}", observation.id(), e);
    }
  }

  @Override
  public void close() {
    notifier.shutdownNow();
  }
}
