package dev.trainyard.server.job;

import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A task of an attempt as it is stored.
 *
 * @param engine name of the engine that runs it
 * @param devices indices of its devices on the node
 * @param address address at which the job's other tasks reach the task; empty until it was started
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
