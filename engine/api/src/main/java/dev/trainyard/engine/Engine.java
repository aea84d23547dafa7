package dev.trainyard.engine;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs tasks on the nodes and devices that the caller chose. An engine never queues a task and
 * never chooses a node or a device. Notifications to the watcher may be repeated or lost; {@link
 * #list} is authoritative. Every method except {@link #exec} is idempotent, so the caller can
 * repeat it after a crash. Implementations are thread-safe.
 */
public interface Engine extends AutoCloseable {
  /** Returns the value of {@code --engine}: process, docker or podman. */
  String name();

  /** Returns the nodes with their total resources, whether in use or free. */
  List<Node> nodes();

  /**
   * Reserves everything that a task needs, so that {@link #start} rarely fails. No user code runs
   * yet.
   *
   * @return the address at which the other tasks of the job can reach this task; repeated calls
   *     return the same address
   * @throws EngineException if the engine cannot run this task
   */
  String reserve(TaskSpec task);

  /** Starts a reserved task. A task runs only once: starting it again has no effect. */
  void start(TaskId task, TaskStart start);

  /**
   * Sends SIGTERM to every process of the task, and kills the remaining processes after the grace
   * period. Returns immediately; the end is reported as an observation. A task that was never
   * started ends without running. Another call with a shorter grace period shortens the remaining
   * time.
   */
  void stop(TaskId task, Duration grace);

  /** Returns every task that was reserved and not yet removed. */
  List<TaskObservation> list();

  /**
   * Removes a task and releases all of its resources except its logs. A running task is killed
   * first.
   */
  void remove(TaskId task);

  /**
   * Registers the callback for task changes, which is called on a thread of the engine. An engine
   * has only one watcher.
   */
  void watch(Consumer<TaskObservation> observer);

  /**
   * Reads the next part of a task's output without blocking.
   *
   * @param cursor {@link LogChunk#next} of the previous chunk, or empty to read from the beginning
   */
  LogChunk follow(TaskId task, LogStream stream, String cursor);

  /**
   * Runs an additional command in a task, with exactly the task's privileges, limits and
   * namespaces.
   *
   * @throws EngineException if the task is not running or the engine does not support additional
   *     commands
   */
  default Execution exec(TaskId task, ExecRequest request) {
    throw new EngineException("the " + name() + " engine can't run additional commands in a task");
  }

  /**
   * Returns the current resource usage of a task; empty if the task is not running or the engine
   * cannot determine it.
   */
  default Optional<Usage> usage(TaskId task) {
    return Optional.empty();
  }

  /**
   * Returns the address at which tasks can reach programs on this host; empty if tasks share the
   * host's network.
   */
  default Optional<String> hostAddress() {
    return Optional.empty();
  }

  /** Returns whether a port of a node is unused, as far as the engine can determine. */
  default boolean isPortFree(String node, int port) {
    return true;
  }

  /**
   * Kills the tasks that listen on a TCP port that the server needs for itself.
   *
   * @return whether such a task existed; if so, the caller tries again to listen on the port
   */
  default boolean releasePort(int port) {
    return false;
  }

  /**
   * Creates the directory of a volume with the owner and mode that the tasks of a user need; has no
   * effect if a task has already used the volume.
   *
   * @param idRange number of the user's ID range, as in {@link TaskSpec#idRange}
   * @throws EngineException if the directory belongs to another user or cannot be created
   */
  void prepareVolume(Volume volume, int idRange);

  /**
   * Allows the server's account to read all files that tasks created in a directory of the server's
   * data, regardless of their owners. May take a long time. Has no effect if the account already
   * has access.
   */
  default void makeReadableByServer(Path tree) {}

  /**
   * Deletes a directory of the server's data with everything that tasks created in it. The caller
   * ensures that no task uses the directory any more and calls this method only if the server's
   * account cannot delete all files. May take a long time. Has no effect if the engine has no more
   * access than that account.
   */
  default void deleteTree(Path tree) {}

  /**
   * Returns the reason and the remedy if the engine does not run this job for this user; otherwise
   * empty.
   */
  default Optional<Message> refusal(String user, JobSpec job) {
    return Optional.empty();
  }

  /** Returns the parts of this job that the engine ignores, for display to the owner. */
  default List<Message> notices(JobSpec job) {
    return List.of();
  }

  /** Returns the images that tasks can run in; empty if the engine has no images. */
  default Optional<ImageStore> images() {
    return Optional.empty();
  }

  /**
   * Returns the reason why the engine as a whole is unavailable, for example because its daemon is
   * stopped; empty while the engine responds. The server calls this method after another method
   * failed. It takes at most a few seconds.
   */
  default Optional<Message> outage() {
    return Optional.empty();
  }

  /**
   * Returns the problems of the nodes that were found when the engine was created and that an
   * administrator should solve.
   */
  default List<Message> warnings() {
    return List.of();
  }

  /**
   * Returns the reason why tasks run without a sandbox, with the remedy; empty if tasks run in a
   * sandbox.
   */
  default Optional<Message> missingSandbox() {
    return Optional.empty();
  }

  /** Disconnects from the engine; tasks keep running. */
  @Override
  void close();
}
