package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.model.Isolation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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

  /**
   * Makes all that can be made before the start, in a task directory that {@link Reservation} has
   * filled with the fifos and the platform's files. Nothing of the user's runs.
   */
  void make(TaskSpec spec, TaskDirectory task) throws IOException;

  /**
   * Starts the supervisor, by {@link Supervision}. It must be the first process of a pid namespace
   * that all processes of the task live in: then the kernel ends them with it, and its end, seen by
   * {@link PidFd}, means that all are gone.
   *
   * @param groups directories of the task's control groups, none where there are no limits
   * @param hosts what the task finds in {@code /etc/hosts}
   */
  PidFd launch(TaskSpec spec, TaskDirectory task, List<Path> groups, String hosts)
      throws IOException;

  /**
   * What has to stand before a program and its arguments, so that together, started by {@link
   * Spawn} from a thread of {@link OwnThread} with a new keyring, they run in the task: with its
   * credentials, namespaces, root directory and control groups, and nothing else.
   *
   * @param supervisor of the task, alive
   */
  List<String> enter(TaskSpec spec, TaskDirectory.Supervisor supervisor, List<Path> groups);

  /**
   * What has to stand before a program so that it runs in the task's pid namespace with power over
   * every process there; for signals to all of them.
   */
  List<String> reach(TaskDirectory.Supervisor supervisor);

  /**
   * @param limited whether there are control groups
   */
  Isolation isolation(boolean limited);

  /** Lets go of what it holds; tasks go on. */
  @Override
  void close();
}
