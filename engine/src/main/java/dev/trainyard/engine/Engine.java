package dev.trainyard.engine;

import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
   * @throws EngineException if this task can't be had here
   */
  void reserve(TaskSpec task);

  /**
   * Lets a reserved task run. A task runs once: starting it again does nothing.
   *
   * @param lateEnvironment variables known only when all tasks of the job have their place
   */
  void start(TaskId task, Map<String, String> lateEnvironment);

  /**
   * Asks every process of the task to end (SIGTERM), and ends what is left after the grace. Returns
   * at once; the end is observed. A task that was never started ends without having run.
   */
  void stop(TaskId task, Duration grace);

  /** Every task that was reserved and not removed. */
  List<TaskObservation> list();

  /** Forgets a task and frees all it used but its logs; a running one is killed first. */
  void remove(TaskId task);

  /** Calls back, on a thread of the engine's, when a task changed. One watcher per engine. */
  void watch(Consumer<TaskObservation> observer);

  /** What of this job the engine will not do, to be shown to its owner. */
  default List<Message> notices(JobSpec job) {
    return List.of();
  }

  /** Lets go of the engine; tasks go on. */
  @Override
  void close();
}
