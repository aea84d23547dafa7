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
 * How tasks are shut off from the machine and from each other. What is the same for every way (task
 * directory, supervisor, logs, ends, stops, control groups, removal) is not its business.
 * Implementations are thread-safe.
 */
interface Sandbox extends AutoCloseable {
  /**
   * Refuses what could not be started in this sandbox; what no sandbox could is refused before.
   *
   * @throws EngineException saying why
   */
  void check(TaskSpec spec);

  /** Why no task of this user is run at all, with the remedy; empty if they are. */
  default Optional<Message> refusal(String user) {
    return Optional.empty();
  }

  /** What the owner of any job should know of this way to run it. */
  default List<Message> notices() {
    return List.of();
  }

  /**
   * Makes all that can be made before the start, in a task directory that {@link Reservation} has
   * filled with the fifos and the platform's files. Nothing of the user's runs.
   */
  void make(TaskSpec spec, TaskDirectory task) throws IOException;

  /** Whether a process of the task takes the commands that people run in it, or the supervisor. */
  default boolean listensInside() {
    return true;
  }

  /**
   * Writes {@code launch.sh}, which is run in the task's place: makes its environment and goes on
   * as the user's script; and the variables for those who come later. Of the secrets only the names
   * count here: nothing of them is written.
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

  /** Where the user's script starts. */
  static String start(TaskSpec spec) {
    return spec.workingDirectory().isEmpty() ? "/" : spec.workingDirectory();
  }

  /**
   * Starts the supervisor, by {@link SupervisorLauncher}. It must be the first process of a pid
   * namespace that all processes of the task live in: then the kernel ends them with it, and its
   * end, seen by {@link PidFd}, means that all are gone.
   *
   * @param groups directories of the task's control groups, none where there are no limits
   * @param hosts what the task finds in {@code /etc/hosts}
   * @param secrets put into memory that only this task sees, or that is taken away with it
   */
  PidFd launch(
      TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts, SecretFiles secrets)
      throws IOException;

  /** A task has ended or was removed: lets go of what the kernel does not take away with it. */
  default void forget(TaskId task) {}

  /**
   * After a start: lets go of what tasks left that ended while no server looked.
   *
   * @param runs whether a task may still need it
   */
  default void forgetAllBut(Predicate<TaskId> runs) {}

  /**
   * What has to stand before a program so that it runs in the task's pid namespace with power over
   * every process there; empty where a task has none of its own.
   */
  Optional<List<String>> reach(TaskDirectory.Supervisor supervisor);

  /**
   * @param limited whether there are control groups
   */
  Isolation isolation(boolean limited);

  /** Lets go of what it holds; tasks go on. */
  @Override
  void close();
}
