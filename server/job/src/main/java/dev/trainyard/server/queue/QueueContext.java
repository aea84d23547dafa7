package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskId;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.Task;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dependencies that the attempts of a queue share.
 *
 * @param nodes returns the nodes in their most recently known state
 * @param threads runs the steps
 * @param watch tracks whether the engine is unavailable
 */
record QueueContext(
    RetryingDb retryingDb,
    JobStore jobs,
    AttemptRecords records,
    Engine engine,
    PortAllocator ports,
    TaskSpecs specs,
    LaunchServices services,
    ImageProgress imageProgress,
    FailureDiagnoser diagnoser,
    Supplier<List<Node>> nodes,
    InstantSource clock,
    QueueSettings settings,
    Executor threads,
    EngineWatch watch,
    Outcomes outcomes) {
  private static final Logger LOG = LoggerFactory.getLogger(QueueContext.class);

  /** Receives the results of an attempt; implemented by the queue. */
  interface Outcomes {
    /** The plan is outdated: the job has changed since it was planned. */
    void planOutdated(JobId job);

    /**
     * The job's ports are not available on the nodes that the plan selected, so the job keeps
     * waiting.
     */
    void portsUnavailable(WaitingJob waitingJob, PortAllocator.Choice.Missing missing);

    /**
     * Tasks of a job without gang scheduling have finished, and their ends are recorded.
     *
     * @param requeued tasks that need a new placement now: some of {@code tasks}, or tasks that
     *     finished earlier
     */
    void tasksFinished(QueuedJob job, List<Task> tasks, List<TaskId> requeued);

    /**
     * A job without gang scheduling is being stopped; the remaining tasks of the job need no
     * placement.
     */
    void placementEnded(JobId job);

    /**
     * The outcome is recorded and the attempt holds no resources any more.
     *
     * @param job the job in its new state: finished, paused, or waiting for its next attempt
     */
    void attemptEnded(QueuedJob queued, Job job, int attempt, List<Task> tasks);
  }

  /** Removes a task from the engine; if this fails, reconciliation retries the removal. */
  void remove(TaskId task) {
    try {
      engine.remove(task);
    } catch (EngineException e) {
      LOG.warn("failed to remove task {}; will retry", task, e);
    }
  }

  TaskSpec spec(TaskSpecs.JobTaskSpecs jobSpecs, Task task) {
    Node node =
        nodes.get().stream()
            .filter(candidate -> candidate.name().equals(task.node()))
            .findFirst()
            .orElseThrow(
                () -> EngineException.transientFailure("node " + task.node() + " is missing"));
    String deviceType = jobSpecs.role(task.id()).resources().deviceType();
    List<Device> devices = new ArrayList<>();
    for (int index : task.devices()) {
      devices.add(
          node.devices().stream()
              .filter(device -> device.index() == index && device.isOfType(deviceType))
              .findFirst()
              .orElseThrow(
                  () -> EngineException.transientFailure("device " + index + " is missing")));
    }
    return jobSpecs.of(task.id(), task.ports().all(), devices);
  }
}
