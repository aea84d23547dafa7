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

/** Ends tasks: politely with a grace, or at once. */
final class TaskStopper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStopper.class);
  private static final int SIGKILL = 9;
  private static final Duration KILL_DEADLINE = Duration.ofSeconds(10);

  /** What the task has printed before its end may need that long to get to the logs. */
  private static final Duration COPY_DEADLINE = Duration.ofSeconds(3);

  /** Time after which a supervisor without processes that has recorded no exit is killed. */
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
      throw new EngineException("the engine's scripts can't be written: " + e.getMessage(), e);
    }
  }

  /** Returns at once. The marker tells a later server too that this end was asked for, and when. */
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
      goOn(task, System.nanoTime() + grace.toNanos());
    } catch (NoSuchFileException e) {
      LOG.debug("task {} is removed", task.id());
    } catch (IOException e) {
      throw new EngineException("the task can't be stopped: " + e.getMessage(), e);
    }
  }

  /** A stop that an earlier server began: what is left of its grace. */
  void adopt(TaskDirectory task) throws IOException {
    if (task.stopDeadline().isPresent() && !task.hasEnded() && task.isClaimed()) {
      goOn(task, task.stopDeadline().getAsLong());
    }
  }

  private void goOn(TaskDirectory task, long deadline) {
    Thread.ofVirtual()
        .name("stop " + task.id())
        .start(
            () -> {
              try {
                terminate(task, deadline);
              } catch (IOException e) {
                LOG.error("task {} can't be stopped", task.id(), e);
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
    // Somebody outside keeps the task's output open, which he was handed: the copiers would wait
    // for its end for ever, and the supervisor for them. Without them it writes the end.
    signal(task, supervisor, Signals.Aim.KILL_WITH_COPIERS);
    if (!process.get().awaitEnd(System.nanoTime() + RECORD_DEADLINE.toNanos())) {
      LOG.warn("the supervisor of task {} does not react and is killed", task.id());
      kill(task);
    }
    // The watcher may follow another process, around the supervisor, that is stopped as well.
    taskMonitor.reportEnd(task);
  }

  /** One that has made its claim has not always written its line yet. */
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

  /** Kills all processes of the task itself; the supervisor writes its end down. */
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

  /** Kills all that belongs to the task and waits until it is gone; it can't start any more. */
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
        throw new IOException("its processes don't end");
      }
    }
    if (supervisor.isPresent() && engineEnvironment.sandbox().reach(supervisor.get()).isEmpty()) {
      signal(task, supervisor.get(), Signals.Aim.KILL); // no namespace that would end with it
    }
  }

  /** A stop under way stays asked for; whoever comes next goes on with it. */
  @Override
  public void close() {
    closed = true;
  }
}
