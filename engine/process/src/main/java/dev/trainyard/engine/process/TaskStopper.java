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
  private static final Duration KILL_DEADLINE = Duration.ofSeconds(10);

  /** Maximum time for the last output of a task to reach the logs. */
  private static final Duration COPY_DEADLINE = Duration.ofSeconds(3);

  /**
   * Time after which a supervisor that has no processes left and has recorded no exit is killed.
   */
  private static final Duration RECORD_DEADLINE = Duration.ofSeconds(5);

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
   * Stops a task; returns immediately. The mark also informs a later server process of the request
   * and its deadline.
   */
  void stop(TaskDirectory task, Duration grace) {
    try {
      if (task.hasEnded() || !task.isReserved()) {
        return;
      }
      task.markStopped(System.nanoTime() + grace.toNanos());
      if (task.claim()) {
        task.recordEnd(EndRecord.byPlatform(ExitReason.STOPPED, ""));
        taskMonitor.reportEnd(task);
        return;
      }
      terminateInBackground(task, System.nanoTime() + grace.toNanos());
    } catch (NoSuchFileException e) {
      LOG.debug("task {} is removed", task.id());
    } catch (IOException e) {
      throw new EngineException("failed to stop the task: " + e.getMessage(), e);
    }
  }

  /** Continues a stop that an earlier server began, with the remaining grace period. */
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
    Optional<PidFd> process = engineEnvironment.supervisors().hold(supervisor);
    if (process.isEmpty()) {
      return;
    }
    signal(task, supervisor, Signals.Aim.ASK);
    if (process.get().awaitEnd(deadline)) {
      return;
    }
    signal(task, supervisor, Signals.Aim.KILL);
    if (process.get().awaitEnd(System.nanoTime() + COPY_DEADLINE.toNanos())) {
      return;
    }
    // A process outside the task keeps the task's output open, which was passed to it: the copiers
    // would wait for its end forever, and the supervisor for the copiers. Without them it records
    // the end.
    signal(task, supervisor, Signals.Aim.KILL_WITH_COPIERS);
    if (!process.get().awaitEnd(System.nanoTime() + RECORD_DEADLINE.toNanos())) {
      LOG.warn("the supervisor of task {} does not respond and is killed", task.id());
      kill(task);
    }
    // The watcher may follow another process, around the supervisor, that was stopped as well.
    taskMonitor.reportEnd(task);
  }

  /** Waits for the record of the supervisor, which is written shortly after the claim. */
  private TaskDirectory.Supervisor awaitSupervisor(TaskDirectory task) throws IOException {
    while (!closed && !task.hasEnded()) {
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isPresent()) {
        return supervisor.get();
      }
      if (taskMonitor.look(task).flatMap(seen -> seen.end()).isPresent()) {
        return null; // lost
      }
      KernelPoll.briefly();
    }
    return null;
  }

  /** Kills all processes of the task; the supervisor records its end. */
  void killProcesses(TaskDirectory task) throws IOException {
    Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
    if (supervisor.isPresent()
        && engineEnvironment.supervisors().hold(supervisor.get()).isPresent()) {
      signal(task, supervisor.get(), Signals.Aim.KILL);
    }
  }

  private void signal(TaskDirectory task, TaskDirectory.Supervisor supervisor, Signals.Aim aim)
      throws IOException {
    List<String> command = signals.command(task, supervisor, aim);
    PidFd tool = Spawn.of(command).environment(Map.of("PATH", Spawn.TOOL_PATH)).start();
    if (!tool.awaitEnd(System.nanoTime() + KILL_DEADLINE.toNanos())) {
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
            ? engineEnvironment.supervisors().hold(supervisor.get())
            : Optional.empty();
    if (process.isPresent()) {
      process.get().signal(SIGKILL);
      if (!process.get().awaitEnd(System.nanoTime() + KILL_DEADLINE.toNanos())) {
        throw new IOException("its processes do not end after SIGKILL");
      }
    }
    if (supervisor.isPresent() && engineEnvironment.sandbox().reach(supervisor.get()).isEmpty()) {
      // without a PID namespace, the processes do not end with the supervisor
      signal(task, supervisor.get(), Signals.Aim.KILL);
    }
  }

  /** A stop in progress stays recorded; the next server process continues it. */
  @Override
  public void close() {
    closed = true;
  }
}
