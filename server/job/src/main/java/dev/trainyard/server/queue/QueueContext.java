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
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.user.User;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the attempts of a queue share.
 *
 * @param nodes the machines as they were seen last
 * @param threads runs the steps
 * @param watch knows whether the engine is absent
 */
record QueueContext(
    RetryingDb retryingDb,
    JobStore jobs,
    AttemptRecords records,
    Engine engine,
    PortAllocator ports,
    TaskSpecs specs,
    JobSecrets secrets,
    FailureDiagnoser diagnoser,
    Function<Job, Optional<User>> owners,
    Supplier<List<Node>> nodes,
    InstantSource clock,
    QueueSettings settings,
    Executor threads,
    EngineWatch watch,
    Outcomes outcomes) {

  /** What an attempt tells the loop. */
  interface Outcomes {
    /** The plan came too late: the job is not what it was made for. */
    void dropped(JobId job);

    /** The job has no ports where the plan put it, and waits on. */
    void held(WaitingJob waitingJob, PortAllocator.Choice.Missing missing);

    /**
     * These tasks of a job without a gang are over, and that is recorded.
     *
     * @param again of these and of those before: tasks that need a place once more, now
     */
    void freed(QueuedJob job, List<Task> tasks, List<TaskId> again);

    /** A job without a gang is to end: no more of its tasks need a place. */
    void noMore(JobId job);

    /**
     * The end is recorded and the attempt holds nothing any more.
     *
     * @param job as it is now: over, put aside, or waiting for its next attempt
     */
    void over(QueuedJob queued, Job job, int attempt, List<Task> tasks);
  }

  TaskSpec spec(TaskSpecs.OfJob ofJob, Task task) {
    Node node =
        nodes.get().stream()
            .filter(candidate -> candidate.name().equals(task.node()))
            .findFirst()
            .orElseThrow(() -> EngineException.passing("node " + task.node() + " is gone"));
    String type = ofJob.role(task.id()).resources().deviceType();
    List<Device> devices = new ArrayList<>();
    for (int index : task.devices()) {
      devices.add(
          node.devices().stream()
              .filter(device -> device.index() == index && device.isOfType(type))
              .findFirst()
              .orElseThrow(() -> EngineException.passing("card " + index + " is gone")));
    }
    return ofJob.of(task.id(), task.ports().all(), devices);
  }
}
