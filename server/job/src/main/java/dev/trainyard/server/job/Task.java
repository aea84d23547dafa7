package dev.trainyard.server.job;

import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A stored task of an attempt.
 *
 * @param engine name of the engine that runs the task
 * @param devices indices of the task's devices on the node
 * @param address address at which the job's other tasks reach this task; empty until this task is
 *     started
 */
public record Task(
    TaskId id,
    TaskState state,
    String node,
    String engine,
    List<Integer> devices,
    TaskPorts ports,
    Optional<String> address,
    Optional<Instant> started,
    Optional<TaskEnd> end) {
  public Task {
    devices = List.copyOf(devices);
  }

  /** Returns the task with its start time. */
  public Task startedAt(Instant time) {
    return new Task(id, state, node, engine, devices, ports, address, Optional.of(time), end);
  }

  /** Returns the task with its end. */
  public Task ended(TaskEnd taskEnd) {
    return new Task(
        id, TaskState.ENDED, node, engine, devices, ports, address, started, Optional.of(taskEnd));
  }

  public static Task assigned(
      TaskId id, String node, String engine, List<Integer> devices, TaskPorts ports) {
    return new Task(
        id,
        TaskState.ASSIGNED,
        node,
        engine,
        devices,
        ports,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
