package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.Spawn;
import dev.trainyard.model.ExitReason;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops tasks: with a grace period, or immediately. */
final class TaskStopper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStopper.class);
  private static final int SIGKILL = 9;
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

  /** Maximum time for the last output of a task to reach the logs. */
  private static final Duration COPY_TIMEOUT = Duration.ofSeconds(3);

  /**
   * Time after which a supervisor is killed if all processes of its task were killed but the
   * supervisor has not recorded the end.
   */
  private static final Duration RECORD_TIMEOUT = Duration.ofSeconds(5);

  private final EngineEnvironment engineEnvironment;
  private final TaskMonitor taskMonitor;
  private final Signals signals;
  private volatile boolean closed;

  TaskStopper(EngineEnvironment engineEnvironment, TaskMonitor taskMonitor) {
    this.engineEnvironment = engineEnvironment;
    this.taskMonitor = taskMonitor;
    try {
      signals = Signals.of(engineEnvironment);
    } catch (IOException e) {
      throw new EngineException("failed to write the engine's scripts: " + e.getMessage(), e);
    }
  }

  /**
   * Stops a task; returns immediately. The request and its deadline are recorded, so that a later
   * server process can continue the stop.
   */
  void stop(TaskDirectory task, Duration grace) {
    try {
      if (task.hasEnded() || !task.isReserved()) {
        return;
      }
      task.markStopped(System.nanoTime() + grace.toNanos());
      if (task.claim()) {
        task.recordEnd(EndRecord.withoutExitCode(ExitReason.STOPPED, ""));
        taskMonitor.reportEnd(task);
        return;
      }
      terminateInBackground(task, System.nanoTime() + grace.toNanos());
    } catch (NoSuchFileException e) {
      LOG.debug("task {} was removed", task.id());
    } catch (IOException e) {
      throw new EngineException("failed to stop the task: " + e.getMessage(), e);
    }
  }

  /** Continues a stop that an earlier server process began, with the remaining grace period. */
  void adopt(TaskDirectory task) throws IOException {
    if (task.stopDeadline().isPresent() && !task.hasEnded() && task.isClaimed()) {
      terminateInBackground(task, task.stopDeadline().getAsLong());
    }
  }

  private void terminateInBackground(TaskDirectory task, long deadline) {
    Thread.ofVirtual()
        .name("stop " + task.id())
        .start(
            () -> {
              try {
                terminate(task, deadline);
              } catch (IOException e) {
                LOG.error("failed to stop task {}", task.id(), e);
              }
            });
  }

  private void terminate(TaskDirectory task, long deadline) throws IOException {
    TaskDirectory.Supervisor supervisor = awaitSupervisor(task);
    if (supervisor == null) {
      return;
    }
    Optional<PidFd> process = engineEnvironment.supervisors().open(supervisor);
    if (process.isEmpty()) {
      return;
    }
    signal(task, supervisor, Signals.SignalKind.TERMINATE);
    if (process.get().awaitEnd(deadline)) {
      return;
    }
    signal(task, supervisor, Signals.SignalKind.KILL);
    if (process.get().awaitEnd(System.nanoTime() + COPY_TIMEOUT.toNanos())) {
      return;
    }
    // A process outside the task has received a descriptor of the task's output and keeps it open.
    // The copiers would wait for the end of that process, and the supervisor for the copiers. When
    // the copiers are killed, the supervisor records the end.
    signal(task, supervisor, Signals.SignalKind.KILL_WITH_COPIERS);
    if (!process.get().awaitEnd(System.nanoTime() + RECORD_TIMEOUT.toNanos())) {
      LOG.warn("killing the supervisor of task {} because it does not respond", task.id());
      kill(task);
    }
    // The monitor may still wait for the parent process of the supervisor, and that process may be
    // stopped too.
    taskMonitor.reportEnd(task);
  }

  /**
   * Waits until the supervisor has recorded itself, which happens shortly after the claim. Returns
   * null if the task has ended or is lost.
   */
  private TaskDirectory.Supervisor awaitSupervisor(TaskDirectory task) throws IOException {
    while (!closed && !task.hasEnded()) {
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isPresent()) {
        return supervisor.get();
      }
      if (taskMonitor.observe(task).flatMap(observation -> observation.end()).isPresent()) {
        return null; // the task is lost
      }
      KernelPollDelay.pause();
    }
    return null;
  }

  /** Kills all processes of the task; the supervisor records the end of the task. */
  void killProcesses(TaskDirectory task) throws IOException {
    Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
    if (supervisor.isPresent()
        && engineEnvironment.supervisors().open(supervisor.get()).isPresent()) {
      signal(task, supervisor.get(), Signals.SignalKind.KILL);
    }
  }

  private void signal(
      TaskDirectory task, TaskDirectory.Supervisor supervisor, Signals.SignalKind kind)
      throws IOException {
    List<String> command = signals.command(task, supervisor, kind);
    PidFd tool = Spawn.of(command).environment(Map.of("PATH", Spawn.TOOL_PATH)).start();
    if (!tool.awaitEnd(System.nanoTime() + KILL_TIMEOUT.toNanos())) {
      tool.signal(SIGKILL);
    }
  }

  /**
   * Kills all processes of the task and waits until they have ended; the task cannot be started
   * afterwards.
   */
  void kill(TaskDirectory task) throws IOException {
    try {
      task.claim();
    } catch (NoSuchFileException e) {
      return;
    }
    Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
    Optional<PidFd> process =
        supervisor.isPresent()
            ? engineEnvironment.supervisors().open(supervisor.get())
            : Optional.empty();
    if (process.isPresent()) {
      process.get().signal(SIGKILL);
      if (!process.get().awaitEnd(System.nanoTime() + KILL_TIMEOUT.toNanos())) {
        throw new IOException("the processes of the task do not end after SIGKILL");
      }
    }
    if (supervisor.isPresent()
        && engineEnvironment.sandbox().pidNamespacePrefix(supervisor.get()).isEmpty()) {
      // Without a PID namespace, the processes do not end with the supervisor.
      signal(task, supervisor.get(), Signals.SignalKind.KILL);
    }
  }

  /** Ends waiting stops. They stay recorded, and the next server process continues them. */
  @Override
  public void close() {
    closed = true;
  }
}
