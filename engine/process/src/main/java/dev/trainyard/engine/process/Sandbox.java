package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Isolates tasks from the host and from each other. Other classes implement everything that does
 * not depend on the kind of isolation: task directory, supervisor, logs, exit, stop, control groups
 * and removal. Implementations are thread-safe.
 */
interface Sandbox extends AutoCloseable {
  /**
   * Rejects a task that could not be started in this sandbox. The caller has already performed the
   * checks that do not depend on the sandbox.
   *
   * @throws EngineException with the reason
   */
  void check(TaskSpec spec);

  /**
   * Returns the reason why this sandbox does not run tasks of a user, with the remedy; empty if the
   * user may run tasks.
   */
  default Optional<Message> refusal(String user) {
    return Optional.empty();
  }

  /**
   * Returns the reason why the host has no sandbox, with the remedy; empty if tasks run in a
   * sandbox.
   */
  default Optional<Message> missingReason() {
    return Optional.empty();
  }

  /** Returns the notices about this sandbox for the owners of all jobs. */
  default List<Message> notices() {
    return List.of();
  }

  /**
   * Creates everything that can be created before the start, in a task directory that {@link
   * Reservation} has filled with the FIFOs and the platform's files. No user code runs.
   */
  void create(TaskSpec spec, TaskDirectory task) throws IOException;

  /** Creates the host directory of a volume with the owner that tasks of a user need. */
  void prepareVolume(Volume volume, int idRange) throws IOException;

  /**
   * Returns whether a process of the task receives additional commands; if not, the supervisor
   * receives them.
   */
  default boolean taskReceivesCommands() {
    return true;
  }

  /**
   * Writes {@code launch.sh}, which runs inside the task, sets its environment and then becomes the
   * user's script; also writes the variables for later sessions. Only the names of the secrets are
   * used here; no contents are written.
   */
  default void prepare(
      TaskSpec spec, TaskDirectory task, Map<String, String> environment, SecretFiles secrets)
      throws IOException {
    LaunchScript.ScriptPaths paths = LaunchScript.ScriptPaths.of(secrets);
    LaunchScript.write(
        task,
        LaunchScript.of(environment, initialDirectory(spec), paths, ExecChannel.SCRIPT),
        environment);
    if (!secrets.isEmpty()) {
      PlatformFiles.createMountPoint(task.platform().resolve(SecretFiles.DIRECTORY));
    }
  }

  /** Returns the initial working directory of the user's script. */
  static String initialDirectory(TaskSpec spec) {
    return spec.workingDirectory().isEmpty() ? "/" : spec.workingDirectory();
  }

  /**
   * Starts the supervisor. If the sandbox has PID namespaces, the supervisor must be the first
   * process of a PID namespace that contains all processes of the task. The kernel then kills these
   * processes when the supervisor ends, so all of them have ended when {@link PidFd} reports the
   * end of the supervisor.
   *
   * @param groups directories of the task's control groups; empty if there are no limits
   * @param hosts contents of the task's {@code /etc/hosts}
   * @param secrets secret files, which are stored only in memory and deleted when the task ends
   */
  PidFd launch(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException;

  /**
   * Releases the resources of a task that the kernel does not free; called after the task has ended
   * or was removed.
   */
  default void release(TaskId task) {}

  /**
   * Releases the resources of tasks that ended while no server was running; called when the server
   * starts.
   *
   * @param mayRun whether a task may still be running
   */
  default void releaseAllExcept(Predicate<TaskId> mayRun) {}

  /**
   * Returns the command prefix that runs a program in the task's PID namespace, with the permission
   * to signal every process there; empty if a task has no PID namespace.
   */
  Optional<List<String>> pidNamespacePrefix(TaskDirectory.Supervisor supervisor);

  /**
   * @param hasControlGroups whether control groups are available
   */
  Isolation isolation(boolean hasControlGroups);

  /** Releases resources; tasks keep running. */
  @Override
  void close();
}
