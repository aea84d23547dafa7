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
 * All additional commands that users run in tasks. Each runs below a wrapper process in the
 * container, so that it can be found again with all processes that it started; see {@code init.c}.
 * Thread-safe.
 */
final class Executions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Executions.class);
  private static final int NONE_FOUND = 3;
  private static final int TRIES = 200;
  private static final long PAUSE_MILLIS = 10;

  private final DockerConnection connection;
  private final DockerClient docker;
  private final Containers containers;
  private final Set<DockerExecution> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong count = new AtomicLong();

  /**
   * Prefix of the tokens of this server process's commands, which distinguishes them from the
   * commands of earlier processes.
   */
  private final String run;

  Executions(DockerConnection connection, Containers containers) {
    this.connection = connection;
    this.docker = connection.client();
    this.containers = containers;
    byte[] bytes = new byte[8];
    new SecureRandom().nextBytes(bytes);
    run = HexFormat.of().formatHex(bytes);
  }

  Execution exec(TaskId task, ExecRequest request) {
    String token = run + "." + count.incrementAndGet();
    boolean terminal = request.terminal().isPresent();
    List<String> command = new ArrayList<>(List.of(Container.INIT, "exec", token));
    command.add(request.terminal().map(size -> size.columns() + "x" + size.rows()).orElse("-"));
    command.addAll(request.command());
    try {
      String id = create(task, command, terminal, "");
      HijackedConnection streams = HijackedConnection.start(connection, id, terminal);
      DockerExecution execution = new DockerExecution(this, task, id, token, terminal, streams);
      open.add(execution);
      execution.begin();
      return execution;
    } catch (NotFoundException | ConflictException e) {
      throw new EngineException("the task is not running");
    } catch (DockerException e) {
      throw DockerProblem.of(e).exception("the task does not accept commands", e);
    } catch (IOException e) {
      throw new EngineException("the task does not accept commands: " + e.getMessage(), e);
    }
  }

  private String create(TaskId task, List<String> command, boolean terminal, String user) {
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
  int code(TaskId task, String id) {
    try {
      while (true) {
        InspectExecResponse state = docker.inspectExecCmd(id).exec();
        if (!Boolean.TRUE.equals(state.isRunning())) {
          Long code = state.getExitCodeLong();
          boolean none = code == null || code < 0 || isOfDocker(task, state, code);
          return none ? DockerExecution.KILLED : code.intValue();
        }
        if (containers.stage(task) != Containers.Stage.RUNNING) {
          return DockerExecution.KILLED;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.debug("failed to read the exit code of a command in task {}", task, e);
    }
    return DockerExecution.KILLED;
  }

  /**
   * Returns whether the exit code was set by Docker. The wrapper process can always be started, so
   * if Docker reports that it could not, the task ended at that moment.
   */
  private boolean isOfDocker(TaskId task, InspectExecResponse state, long code) {
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

  /** Kills the command with all processes that it started; returns when they have ended. */
  void hangUp(TaskId task, String id, String token) {
    try {
      for (int i = 0; i < TRIES; i++) {
        if (hangUp(task, token) != NONE_FOUND) {
          return;
        }
        if (isFinished(docker.inspectExecCmd(id).exec())) {
          return;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (NotFoundException | ConflictException e) {
      LOG.debug("task {} has ended", task);
    } catch (IOException | RuntimeException e) {
      LOG.error("failed to kill a command in task {}", task, e);
    }
  }

  /**
   * Docker responds before the command has started, and then reports neither that it is running nor
   * an exit code. A command that is not killed by then would keep running in a task that is being
   * stopped.
   */
  private static boolean isFinished(InspectExecResponse state) {
    return !Boolean.TRUE.equals(state.isRunning()) && state.getExitCodeLong() != null;
  }

  private int hangUp(TaskId task, String token) throws IOException {
    // As root of the container, because the command may have changed its user.
    String id = create(task, List.of(Container.INIT, "hangup", token), false, "0:0");
    try (HijackedConnection streams = HijackedConnection.start(connection, id, false)) {
      byte[] ignored = new byte[512];
      while (streams.read(ignored, 0, ignored.length) >= 0) {
        // no output is expected; this only waits for the end
      }
    }
    return code(task, id);
  }

  /**
   * Kills the commands that an earlier server process left, because their clients are disconnected.
   */
  void endLeftovers(TaskId task) {
    Thread.ofVirtual()
        .name("hang up " + task)
        .start(
            () -> {
              try {
                hangUp(task, "-" + run);
              } catch (NotFoundException | ConflictException e) {
                LOG.debug("task {} has ended", task);
              } catch (IOException | RuntimeException e) {
                LOG.warn("failed to kill earlier commands in task {}", task, e);
              }
            });
  }

  void forget(DockerExecution execution) {
    open.remove(execution);
  }

  /** Abandons the commands of a task whose container is about to be removed. */
  void forget(TaskId task) {
    open.stream().filter(execution -> execution.isIn(task)).forEach(DockerExecution::abandon);
  }

  /** Kills all commands in a task. */
  void close(TaskId task) {
    closeAll(open.stream().filter(execution -> execution.isIn(task)).toList());
  }

  @Override
  public void close() {
    closeAll(List.copyOf(open));
  }

  private static void closeAll(List<DockerExecution> executions) {
    List<Thread> closings =
        executions.stream().map(execution -> Thread.ofVirtual().start(execution::close)).toList();
    try {
      for (Thread closing : closings) {
        closing.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
