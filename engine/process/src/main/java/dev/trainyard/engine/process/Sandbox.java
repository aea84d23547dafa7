package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TaskSpec;
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
 * Isolates tasks from the host and from each other. What does not depend on the kind of isolation
 * (task directory, supervisor, logs, exit, stop, control groups, removal) is implemented elsewhere.
 * Implementations are thread-safe.
 */
interface Sandbox extends AutoCloseable {
  /**
   * Rejects a task that could not be started in this sandbox; other checks are done before.
   *
   * @throws EngineException with the reason
   */
  void check(TaskSpec spec);

  /** Returns the reason, with the remedy, if no tasks of this user are run; otherwise empty. */
  default Optional<Message> refusal(String user) {
    return Optional.empty();
  }

  /** Returns what the owner of any job should know about this sandbox. */
  default List<Message> notices() {
    return List.of();
  }

  /**
   * Creates everything that can be created before the start, in a task directory that {@link
   * Reservation} has filled with the FIFOs and the platform's files. No user code runs.
   */
  void make(TaskSpec spec, TaskDirectory task) throws IOException;

  /**
   * Returns whether a process of the task receives additional commands, instead of the supervisor.
   */
  default boolean listensInside() {
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
    LaunchScript.Run run = LaunchScript.Run.of(secrets);
    LaunchScript.write(
        task, LaunchScript.of(environment, start(spec), run, ExecChannel.SCRIPT), environment);
    if (!secrets.isEmpty()) {
      PlatformFiles.makeMountPoint(task.platform().resolve(SecretFiles.DIRECTORY));
    }
  }

  /** Returns the initial working directory of the user's script. */
  static String start(TaskSpec spec) {
    return spec.workingDirectory().isEmpty() ? "/" : spec.workingDirectory();
  }

  /**
   * Starts the supervisor, using {@link SupervisorLauncher}. It must be the first process of a PID
   * namespace that contains all processes of the task: then the kernel kills them when it ends, so
   * its end, as seen by {@link PidFd}, means that all are gone.
   *
   * @param groups directories of the task's control groups; empty if there are no limits
   * @param hosts contents of the task's {@code /etc/hosts}
   * @param secrets put into memory that only this task sees, or that is freed with the task
   */
  PidFd launch(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException;

  /** Releases, after a task has ended or was removed, what the kernel does not free with it. */
  default void forget(TaskId task) {}

  /**
   * Releases, after a start of the server, what was left by tasks that ended while no server was
   * running.
   *
   * @param runs whether a task may still need it
   */
  default void forgetAllBut(Predicate<TaskId> runs) {}

  /**
   * Returns the command prefix that runs a program in the task's PID namespace with power over
   * every process there; empty if a task has no PID namespace.
   */
  Optional<List<String>> reach(TaskDirectory.Supervisor supervisor);

  /**
   * @param limited whether control groups are available
   */
  Isolation isolation(boolean limited);

  /** Releases resources; tasks keep running. */
  @Override
  void close();
}
