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
 * All commands that people run in tasks beside the tasks' own. Each runs below a process of ours in
 * the container, so that it is found again with all it started; see {@code init.c}. Thread-safe.
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

  /** What the tokens of this server's commands begin with: those of one before are known by it. */
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
      throw new EngineException("the task does not run");
    } catch (DockerException e) {
      throw DockerProblem.of(e).exception("the task does not take commands", e);
    } catch (IOException e) {
      throw new EngineException("the task does not take commands: " + e.getMessage(), e);
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

  /** Waits for the end, which the streams may be a little ahead of. */
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
      LOG.debug("the end of a command in task {} is lost", task, e);
    }
    return DockerExecution.KILLED;
  }

  /**
   * Our own process in the container can always be run: if Docker says it could not, the task ended
   * at that moment.
   */
  private boolean isOfDocker(TaskId task, InspectExecResponse state, long code) {
    boolean failedStart = code >= 126 && code <= 128;
    // Podman forgets the number of what has ended.
    boolean unborn =
        !connection.isPodman() && (state.getPidLong() == null || state.getPidLong() == 0);
    return failedStart && (unborn || containers.stage(task) != Containers.Stage.RUNNING);
  }

  void resize(String id, TerminalSize size) {
    try {
      docker.resizeExecCmd(id).withSize(size.rows(), size.columns()).exec();
    } catch (RuntimeException e) {
      LOG.debug("a terminal can't be resized", e);
    }
  }

  /** Kills the command with all it started; returns when it is done. */
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
      LOG.debug("task {} is over", task);
    } catch (IOException | RuntimeException e) {
      LOG.error("a command in task {} can't be ended", task, e);
    }
  }

  /**
   * Docker answers before the command has begun, and then says of it neither that it runs nor how
   * it ended; what is not ended by then would go on beside a task that is told to end.
   */
  private static boolean isFinished(InspectExecResponse state) {
    return !Boolean.TRUE.equals(state.isRunning()) && state.getExitCodeLong() != null;
  }

  private int hangUp(TaskId task, String token) throws IOException {
    // As root of the container: the command may have become somebody else.
    String id = create(task, List.of(Container.INIT, "hangup", token), false, "0:0");
    try (HijackedConnection streams = HijackedConnection.start(connection, id, false)) {
      byte[] ignored = new byte[512];
      while (streams.read(ignored, 0, ignored.length) >= 0) {
        // it says nothing; its end is what is waited for
      }
    }
    return code(task, id);
  }

  /** Ends what an earlier server left behind: nobody sits at the other end any more. */
  void endLeftovers(TaskId task) {
    Thread.ofVirtual()
        .name("hang up " + task)
        .start(
            () -> {
              try {
                hangUp(task, "-" + run);
              } catch (NotFoundException | ConflictException e) {
                LOG.debug("task {} is over", task);
              } catch (IOException | RuntimeException e) {
                LOG.warn("earlier commands in task {} can't be ended", task, e);
              }
            });
  }

  void forget(DockerExecution execution) {
    open.remove(execution);
  }

  /** The task's container is about to be removed. */
  void forget(TaskId task) {
    open.stream().filter(execution -> execution.isIn(task)).forEach(DockerExecution::abandon);
  }

  /** Ends all commands in a task. */
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
