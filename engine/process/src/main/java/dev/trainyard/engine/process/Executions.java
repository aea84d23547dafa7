package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.Spawn;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs and kills the additional commands of users in tasks. Thread-safe. */
final class Executions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Executions.class);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);
  private static final int SIGKILL = 9;

  private final EngineEnvironment engineEnvironment;
  private final Path hangUpScript;
  private final Set<TaskExecution> openExecutions = ConcurrentHashMap.newKeySet();

  Executions(EngineEnvironment engineEnvironment) {
    this.engineEnvironment = engineEnvironment;
    try {
      hangUpScript = Scripts.unpack("hang-up.sh", engineEnvironment.data().resolve("bin"));
    } catch (IOException e) {
      throw new EngineException("failed to write the engine's scripts: " + e.getMessage(), e);
    }
  }

  /** Runs a command; returns when the command has started or failed to start. */
  Execution exec(TaskDirectory task, ExecRequest request) {
    try {
      TaskDirectory.Supervisor supervisor = requireSupervisor(task);
      Path command = ExecChannel.createCommand(task, request);
      TaskExecution execution = new TaskExecution(this, task, supervisor, command);
      openExecutions.add(execution);
      try {
        // Checks again, because a concurrent stop may have missed this command.
        requireSupervisor(task);
        sendRequest(task, command);
        execution.awaitStart(request.terminal());
        return execution;
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
    } catch (IOException e) {
      throw new EngineException(e.getMessage(), e);
    }
  }

  private TaskDirectory.Supervisor requireSupervisor(TaskDirectory task) throws IOException {
    if (!task.isClaimed() || task.hasEnded() || task.stopDeadline().isPresent()) {
      throw new EngineException("the task is not running");
    }
    if (!ExecChannel.exists(task)) {
      throw new EngineException("the task was started without support for commands");
    }
    long deadline = System.nanoTime() + REQUEST_TIMEOUT.toNanos();
    while (System.nanoTime() < deadline) {
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      if (supervisor.isPresent() && engineEnvironment.supervisors().isAlive(supervisor.get())) {
        return supervisor.get();
      }
      KernelPollDelay.pause();
    }
    throw new EngineException("the task is not running");
  }

  /**
   * Sends the request to run a command. Retries until a timeout, because a task that was just
   * started opens its channel a moment later.
   */
  private static void sendRequest(TaskDirectory task, Path command) throws IOException {
    long deadline = System.nanoTime() + REQUEST_TIMEOUT.toNanos();
    while (!ExecChannel.sendRequest(task, command)) {
      if (task.hasEnded() || System.nanoTime() > deadline) {
        throw new EngineException(
            "the task does not accept commands because it killed the process that receives them");
      }
      KernelPollDelay.pause();
    }
  }

  /** Kills the command with all processes that it started; returns when they have ended. */
  void kill(TaskDirectory task, TaskDirectory.Supervisor supervisor, int leader) {
    try {
      if (!engineEnvironment.supervisors().isAlive(supervisor)) {
        return; // the task has ended with all its processes
      }
      List<String> command =
          new ArrayList<>(
              engineEnvironment.sandbox().pidNamespacePrefix(supervisor).orElse(List.of()));
      command.add(engineEnvironment.tools().path("sh"));
      command.add(hangUpScript.toString());
      command.add(task.procDirectory(supervisor).toString());
      command.add(Integer.toString(leader));
      command.add(Integer.toString(supervisor.stdoutCopier()));
      command.add(Integer.toString(supervisor.stderrCopier()));
      PidFd tool = Spawn.of(command).environment(Map.of("PATH", Spawn.TOOL_PATH)).start();
      if (!tool.awaitEnd(System.nanoTime() + KILL_TIMEOUT.toNanos())) {
        tool.signal(SIGKILL);
        LOG.error("failed to kill a command in task {} in time", task.id());
      }
    } catch (IOException e) {
      LOG.error("failed to kill a command in task {}", task.id(), e);
    }
  }

  /** Kills the commands of an earlier server process, because their clients are disconnected. */
  void adopt(TaskDirectory task) throws IOException {
    for (Path command : ExecChannel.commandDirectories(task)) {
      Optional<TaskDirectory.Supervisor> supervisor = task.supervisor();
      Optional<Integer> leader = readLeader(command);
      if (supervisor.isPresent() && leader.isPresent()) {
        kill(task, supervisor.get(), leader.get());
      }
      Trash.deleteTree(command);
    }
  }

  /** Records the session leader of a command for a later server process. */
  static void writeLeader(Path command, int leader) throws IOException {
    Files.writeString(command.resolve("leader"), leader + "\n");
  }

  private static Optional<Integer> readLeader(Path command) throws IOException {
    try {
      return Optional.of(Integer.valueOf(Files.readString(command.resolve("leader")).strip()));
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  void remove(TaskExecution execution) {
    openExecutions.remove(execution);
  }

  /** Kills all commands in a task. */
  void close(TaskId task) {
    openExecutions.stream()
        .filter(execution -> execution.belongsTo(task))
        .forEach(TaskExecution::close);
  }

  @Override
  public void close() {
    openExecutions.forEach(TaskExecution::close);
  }
}
