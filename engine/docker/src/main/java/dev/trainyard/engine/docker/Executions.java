package dev.trainyard.engine.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.ExecRequest;
import dev.trainyard.engine.Execution;
import dev.trainyard.engine.TerminalSize;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All additional commands that users run in tasks. Each command runs below a wrapper process in the
 * container, so that the command can be found again with all processes that it started; see {@code
 * init.c}. Thread-safe.
 */
final class Executions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Executions.class);
  private static final int NOTHING_FOUND_CODE = 3;
  private static final int MAX_ATTEMPTS = 200;
  private static final long PAUSE_MILLIS = 10;

  private final DockerConnection connection;
  private final DockerClient docker;
  private final Containers containers;
  private final Set<DockerExecution> openExecutions = ConcurrentHashMap.newKeySet();
  private final AtomicLong commandCount = new AtomicLong();

  /**
   * Prefix of the tokens of this server process's commands, which distinguishes them from the
   * commands of earlier processes.
   */
  private final String tokenPrefix;

  Executions(DockerConnection connection, Containers containers) {
    this.connection = connection;
    this.docker = connection.client();
    this.containers = containers;
    byte[] bytes = new byte[8];
    new SecureRandom().nextBytes(bytes);
    tokenPrefix = HexFormat.of().formatHex(bytes);
  }

  Execution exec(TaskId task, ExecRequest request) {
    String token = tokenPrefix + "." + commandCount.incrementAndGet();
    boolean terminal = request.terminal().isPresent();
    List<String> command = new ArrayList<>(List.of(ContainerSpecBuilder.INIT, "exec", token));
    command.add(request.terminal().map(size -> size.columns() + "x" + size.rows()).orElse("-"));
    command.addAll(request.command());
    try {
      String id = createExec(task, command, terminal, "");
      HijackedConnection streams = HijackedConnection.start(connection, id, terminal);
      DockerExecution execution = new DockerExecution(this, task, id, token, terminal, streams);
      openExecutions.add(execution);
      execution.start();
      return execution;
    } catch (NotFoundException | ConflictException e) {
      throw new EngineException("the task is not running");
    } catch (DockerException e) {
      throw DockerProblem.of(e).toException("the task does not accept commands", e);
    } catch (IOException e) {
      throw new EngineException("the task does not accept commands: " + e.getMessage(), e);
    }
  }

  private String createExec(TaskId task, List<String> command, boolean terminal, String user) {
    var create =
        docker
            .execCreateCmd(containers.name(task))
            .withCmd(command.toArray(String[]::new))
            .withAttachStdin(true)
            .withAttachStdout(true)
            .withAttachStderr(true)
            .withTty(terminal);
    if (!user.isEmpty()) {
      create.withUser(user);
    }
    return create.exec().getId();
  }

  /** Returns the exit code; waits for the end, because the streams may end slightly earlier. */
  int awaitExitCode(TaskId task, String id) {
    try {
      while (true) {
        InspectExecResponse state = docker.inspectExecCmd(id).exec();
        if (!Boolean.TRUE.equals(state.isRunning())) {
          Long code = state.getExitCodeLong();
          boolean killed = code == null || code < 0 || isDockerCode(task, state, code);
          return killed ? DockerExecution.EXIT_CODE_KILLED : code.intValue();
        }
        if (containers.stage(task) != Containers.Stage.RUNNING) {
          return DockerExecution.EXIT_CODE_KILLED;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.debug("failed to read the exit code of a command in task {}", task, e);
    }
    return DockerExecution.EXIT_CODE_KILLED;
  }

  /**
   * Returns whether Docker itself set the exit code. The wrapper process can always be started, so
   * if Docker reports that it could not be started, the task ended at that moment.
   */
  private boolean isDockerCode(TaskId task, InspectExecResponse state, long code) {
    boolean failedStart = code >= 126 && code <= 128;
    // Podman no longer knows the process ID of an ended process.
    boolean neverStarted =
        !connection.isPodman() && (state.getPidLong() == null || state.getPidLong() == 0);
    return failedStart && (neverStarted || containers.stage(task) != Containers.Stage.RUNNING);
  }

  void resize(String id, TerminalSize size) {
    try {
      docker.resizeExecCmd(id).withSize(size.rows(), size.columns()).exec();
    } catch (RuntimeException e) {
      LOG.debug("failed to resize a terminal", e);
    }
  }

  /**
   * Kills the command and all processes that it started; returns when they have ended. The signal
   * that stops the task may also kill the process that performs the kill, so the kill is repeated
   * until the engine reports that the command has ended.
   */
  void kill(TaskId task, String id, String token) {
    try {
      for (int i = 0; i < MAX_ATTEMPTS; i++) {
        kill(task, token);
        if (isFinished(docker.inspectExecCmd(id).exec())) {
          return;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
      LOG.error("failed to kill a command in task {}: it is still running", task);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (NotFoundException | ConflictException e) {
      LOG.debug("task {} has ended", task);
    } catch (IOException | RuntimeException e) {
      LOG.error("failed to kill a command in task {}", task, e);
    }
  }

  /**
   * Returns whether the command has ended. Docker responds before a command has started. Until the
   * start, it reports neither that the command is running nor an exit code. Such a command must
   * still be killed: otherwise it would keep running in a task that is being stopped.
   */
  private static boolean isFinished(InspectExecResponse state) {
    return !Boolean.TRUE.equals(state.isRunning()) && state.getExitCodeLong() != null;
  }

  private int kill(TaskId task, String token) throws IOException {
    // Runs as the container's root user, because the command may have changed its user.
    String id = createExec(task, List.of(ContainerSpecBuilder.INIT, "hangup", token), false, "0:0");
    try (HijackedConnection streams = HijackedConnection.start(connection, id, false)) {
      byte[] ignored = new byte[512];
      while (streams.read(ignored, 0, ignored.length) >= 0) {
        // No output is expected; the loop only waits for the end of the stream.
      }
    }
    return awaitExitCode(task, id);
  }

  /**
   * Kills the commands that an earlier server process left, because their clients are disconnected.
   * Repeats the kill if the process that performs it was itself killed because the task is being
   * stopped.
   */
  void killLeftovers(TaskId task) {
    Thread.ofVirtual()
        .name("hang up " + task)
        .start(
            () -> {
              try {
                int code = kill(task, "-" + tokenPrefix);
                for (int i = 0; code != 0 && code != NOTHING_FOUND_CODE && i < MAX_ATTEMPTS; i++) {
                  Thread.sleep(PAUSE_MILLIS);
                  code = kill(task, "-" + tokenPrefix);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (NotFoundException | ConflictException e) {
                LOG.debug("task {} has ended", task);
              } catch (IOException | RuntimeException e) {
                LOG.warn("failed to kill earlier commands in task {}", task, e);
              }
            });
  }

  void remove(DockerExecution execution) {
    openExecutions.remove(execution);
  }

  /** Abandons the commands of a task whose container is about to be removed. */
  void abandonAll(TaskId task) {
    openExecutions.stream()
        .filter(execution -> execution.belongsTo(task))
        .forEach(DockerExecution::abandon);
  }

  /** Kills all commands in a task. */
  void close(TaskId task) {
    closeAll(openExecutions.stream().filter(execution -> execution.belongsTo(task)).toList());
  }

  @Override
  public void close() {
    closeAll(List.copyOf(openExecutions));
  }

  private static void closeAll(List<DockerExecution> executions) {
    List<Thread> closeThreads =
        executions.stream().map(execution -> Thread.ofVirtual().start(execution::close)).toList();
    try {
      for (Thread closeThread : closeThreads) {
        closeThread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
