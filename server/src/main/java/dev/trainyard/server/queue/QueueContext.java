package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.Task;
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
 */
record QueueContext(
    Durably durably,
    JobStore jobs,
    AttemptRecords records,
    Engine engine,
    TaskSpecs specs,
    Function<Job, Optional<User>> owners,
    Supplier<List<Node>> nodes,
    InstantSource clock,
    QueueSettings settings,
    Executor threads,
    Outcomes outcomes) {

  /** What an attempt tells the loop. */
  interface Outcomes {
    /** The plan came too late: the job is not what it was made for. */
    void dropped(JobId job);

    /** The end is recorded and the job holds nothing any more. */
    void over(JobId job);
  }

  TaskSpec spec(Job job, JobConfig config, User owner, Task task) {
    Node node =
        nodes.get().stream()
            .filter(candidate -> candidate.name().equals(task.node()))
            .findFirst()
            .orElseThrow(() -> new EngineException("node " + task.node() + " is gone"));
    String type = config.spec().role(task.id().role()).resources().deviceType();
    List<Device> devices = new ArrayList<>();
    for (int index : task.devices()) {
      devices.add(
          node.devices().stream()
              .filter(device -> device.index() == index && device.isOfType(type))
              .findFirst()
              .orElseThrow(() -> new EngineException("card " + index + " is gone")));
    }
    return specs.of(job, config, owner, task.id(), devices);
  }
}
