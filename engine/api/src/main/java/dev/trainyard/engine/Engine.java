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
 * Runs tasks where it is told to. It never queues and never chooses a node or a device. What it
 * reports may repeat or miss: {@link #list} is the truth. Every method may be called again after a
 * crash with the same effect as once. Implementations are thread-safe.
 */
public interface Engine extends AutoCloseable {
  /** The name of {@code --engine}: process, docker, kubernetes. */
  String name();

  /** The machines with all they have, whoever uses it. */
  List<Node> nodes();

  /**
   * Makes room for a task, so that {@link #start} can hardly fail: nothing of the user's runs yet.
   *
   * @return the address under which other tasks of the job will reach it; the same when repeated
   * @throws EngineException if this task can't be had here
   */
  String reserve(TaskSpec task);

  /** Lets a reserved task run. A task runs once: starting it again does nothing. */
  void start(TaskId task, TaskStart late);

  /**
   * Asks every process of the task to end (SIGTERM), and ends what is left after the grace. Returns
   * at once; the end is observed. A task that was never started ends without having run. Stopping
   * again with a shorter grace shortens it.
   */
  void stop(TaskId task, Duration grace);

  /** Every task that was reserved and not removed. */
  List<TaskObservation> list();

  /** Forgets a task and frees all it used but its logs; a running one is killed first. */
  void remove(TaskId task);

  /** Calls back, on a thread of the engine's, when a task changed. One watcher per engine. */
  void watch(Consumer<TaskObservation> observer);

  /**
   * Reads on in what a task has printed; never waits.
   *
   * @param cursor {@link LogChunk#next} of the chunk before, empty at the beginning
   */
  LogChunk follow(TaskId task, LogStream stream, String cursor);

  /**
   * Runs a command beside the task's own, with exactly its rights, limits and view of the machine.
   *
   * @throws EngineException if the task does not run or the engine can't do this
   */
  default Execution exec(TaskId task, ExecRequest request) {
    throw new EngineException("the " + name() + " engine can't run a second command in a task");
  }

  /** What a task uses now; empty if it does not run or the engine can't tell. */
  default Optional<Usage> usage(TaskId task) {
    return Optional.empty();
  }

  /**
   * The address of this machine under which tasks reach its programs; empty if they share the
   * machine's own network.
   */
  default Optional<String> machineAddress() {
    return Optional.empty();
  }

  /** Whether nobody listens on this port of a node, as far as the engine can find out. */
  default boolean isPortFree(String node, int port) {
    return true;
  }

  /**
   * Lets the server's account read what tasks left in a directory of its data, whatever ids they
   * gave it. May take long; does nothing where the account has no need of it.
   */
  default void openToServer(Path tree) {}

  /** The same, so that it can be deleted; nothing in it is of use to a task any more. */
  default void giveToServer(Path tree) {}

  /** Why no job of this user is run here, with the remedy; empty if they are. */
  default Optional<Message> refusal(String user, JobSpec job) {
    return Optional.empty();
  }

  /** What of this job the engine will not do, to be shown to its owner. */
  default List<Message> notices(JobSpec job) {
    return List.of();
  }

  /** The images its tasks are made of; empty if it knows none. */
  default Optional<ImageStore> images() {
    return Optional.empty();
  }

  /**
   * Returns why the engine as a whole does not answer, for example because its daemon is stopped;
   * empty while it answers. Called after a failure of another method; takes a few seconds at most.
   */
  default Optional<Message> absence() {
    return Optional.empty();
  }

  /** Lets go of the engine; tasks go on. */
  @Override
  void close();
}
