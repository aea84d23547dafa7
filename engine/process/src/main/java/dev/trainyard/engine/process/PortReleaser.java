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
 * Kills the tasks that hold the server's own port. Tasks share the host's network, so they can bind
 * the port while no server listens. Such a task would prevent the server from starting, and without
 * a server no user could stop the task.
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

  /** Kills the tasks that hold the port; returns whether at least one was killed. */
  boolean release(int port) {
    boolean released = false;
    for (TaskDirectory task : findHolders(port)) {
      try {
        LOG.warn("killing task {} because it holds port {} of the server", task.id(), port);
        String detail = "the task was killed because it used port " + port + " of the server";
        task.recordEnd(EndRecord.ofKilledTask(ExitReason.KILLED_BY_SIGNAL, detail));
        taskStopper.kill(task);
        taskMonitor.reportEnd(task);
        released = true;
      } catch (IOException e) {
        LOG.error("failed to kill task {}, which holds port {}", task.id(), port, e);
      }
    }
    return released;
  }

  private List<TaskDirectory> findHolders(int port) {
    PortHolders sockets = PortHolders.of(port);
    List<Integer> holderPids = sockets.processes();
    ProcessTree tree = ProcessTree.read();
    List<TaskDirectory> holders = new ArrayList<>();
    for (TaskDirectory task : engineEnvironment.directories()) {
      try {
        Optional<TaskDirectory.Supervisor> supervisor =
            task.supervisor().filter(engineEnvironment.supervisors()::isAlive);
        if (supervisor.isPresent()
            && (holderPids.isEmpty()
                ? isSocketOwner(task, sockets)
                : hasAnyProcess(holderPids, task, supervisor.get(), tree))) {
          holders.add(task);
        }
      } catch (IOException e) {
        LOG.warn("failed to check the ports of task {}", task.id(), e);
      }
    }
    return holders;
  }

  /** Returns whether the socket, which no process has open, was created by the task's user. */
  private static boolean isSocketOwner(TaskDirectory task, PortHolders sockets) throws IOException {
    Optional<StoredSpec> stored = StoredSpec.read(task);
    return stored.isPresent() && sockets.isOwnedBy(IdRange.of(stored.get().spec().idRange()));
  }

  private boolean hasAnyProcess(
      List<Integer> holderPids,
      TaskDirectory task,
      TaskDirectory.Supervisor supervisor,
      ProcessTree tree)
      throws IOException {
    Set<Integer> taskPids = new HashSet<>(tree.withDescendants(supervisor.pid()));
    if (engineEnvironment.controlGroups().isPresent()) {
      for (ProcessHandle process :
          engineEnvironment.controlGroups().get().processes(task.id().toString())) {
        taskPids.add((int) process.pid());
      }
    }
    // Without a PID namespace, a process of the task need not be a descendant of the supervisor.
    // With a PID namespace, the variable is not used, because a task could set it to the ID of
    // another task.
    boolean withoutPidNamespace =
        engineEnvironment.sandbox().pidNamespacePrefix(supervisor).isEmpty();
    return holderPids.stream()
        .anyMatch(
            pid -> taskPids.contains(pid) || (withoutPidNamespace && hasTaskVariable(pid, task)));
  }

  private static boolean hasTaskVariable(int pid, TaskDirectory task) {
    try {
      byte[] environment = Files.readAllBytes(Path.of("/proc", Integer.toString(pid), "environ"));
      String text = "\0" + new String(environment, StandardCharsets.ISO_8859_1) + "\0";
      return text.contains("\0TRAINYARD_TASK=" + task.id() + "\0");
    } catch (IOException e) {
      return false; // the process has ended or is not readable
    }
  }
}
