package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.PortHolders;
import dev.trainyard.model.ExitReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills the tasks that hold the server's own port, which they can bind while no server listens
 * because they share the host's network. Otherwise one task could keep the server from starting,
 * and no one could stop that task.
 */
final class PortReleaser {
  private static final Logger LOG = LoggerFactory.getLogger(PortReleaser.class);

  private final EngineEnvironment engineEnvironment;
  private final TaskStopper taskStopper;
  private final TaskMonitor taskMonitor;

  PortReleaser(
      EngineEnvironment engineEnvironment, TaskStopper taskStopper, TaskMonitor taskMonitor) {
    this.engineEnvironment = engineEnvironment;
    this.taskStopper = taskStopper;
    this.taskMonitor = taskMonitor;
  }

  /** Returns whether at least one task held the port and was killed. */
  boolean release(int port) {
    boolean released = false;
    for (TaskDirectory task : holders(port)) {
      try {
        LOG.warn("task {} is killed: it holds port {} of the server", task.id(), port);
        String detail = "the task was killed because it used port " + port + " of the server";
        task.recordEnd(EndRecord.killed(ExitReason.KILLED_BY_SIGNAL, detail));
        taskStopper.kill(task);
        taskMonitor.reportEnd(task);
        released = true;
      } catch (IOException e) {
        LOG.error("failed to kill task {}, which holds port {}", task.id(), port, e);
      }
    }
    return released;
  }

  private List<TaskDirectory> holders(int port) {
    PortHolders sockets = PortHolders.of(port);
    List<Integer> processes = sockets.processes();
    ProcessTree tree = ProcessTree.read();
    List<TaskDirectory> found = new ArrayList<>();
    for (TaskDirectory task : engineEnvironment.directories()) {
      try {
        Optional<TaskDirectory.Supervisor> supervisor =
            task.supervisor().filter(engineEnvironment.supervisors()::isAlive);
        if (supervisor.isPresent()
            && (processes.isEmpty()
                ? isOwner(task, sockets)
                : hasOneOf(processes, task, supervisor.get(), tree))) {
          found.add(task);
        }
      } catch (IOException e) {
        LOG.warn("failed to check the ports of task {}", task.id(), e);
      }
    }
    return found;
  }

  /** Returns whether the socket, which no process has open, was created by the task's user. */
  private static boolean isOwner(TaskDirectory task, PortHolders sockets) throws IOException {
    Optional<StoredSpec> stored = StoredSpec.read(task);
    return stored.isPresent() && sockets.isOwnedBy(IdRange.of(stored.get().spec().idRange()));
  }

  private boolean hasOneOf(
      List<Integer> processes,
      TaskDirectory task,
      TaskDirectory.Supervisor supervisor,
      ProcessTree tree)
      throws IOException {
    Set<Integer> own = new HashSet<>(tree.all(supervisor.pid()));
    if (engineEnvironment.limits().isPresent()) {
      for (ProcessHandle process :
          engineEnvironment.limits().get().processes(task.id().toString())) {
        own.add((int) process.pid());
      }
    }
    // Without a PID namespace, a process of the task need not be below the supervisor. With one,
    // the
    // variable is not used, because a task could set it to the name of another task.
    boolean plain = engineEnvironment.sandbox().reach(supervisor).isEmpty();
    return processes.stream().anyMatch(pid -> own.contains(pid) || (plain && isNamed(pid, task)));
  }

  private static boolean isNamed(int pid, TaskDirectory task) {
    try {
      byte[] environment = Files.readAllBytes(Path.of("/proc", Integer.toString(pid), "environ"));
      String text = "\0" + new String(environment, StandardCharsets.ISO_8859_1) + "\0";
      return text.contains("\0TRAINYARD_TASK=" + task.id() + "\0");
    } catch (IOException e) {
      return false; // ended, or not readable
    }
  }
}
