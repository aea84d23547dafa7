package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import java.util.List;
import java.util.Set;

/** A change that a planner must know about. */
public sealed interface QueueEvent {
  /**
   * The set of nodes has changed.
   *
   * @param nodes all nodes
   */
  record NodesChanged(List<Node> nodes) implements QueueEvent {
    public NodesChanged {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The set of cordoned nodes has changed: no further task may start on them, but their running
   * tasks continue.
   *
   * @param nodes names of all cordoned nodes
   */
  record CordonedNodesChanged(Set<String> nodes) implements QueueEvent {
    public CordonedNodesChanged {
      nodes = Set.copyOf(nodes);
    }
  }

  /** The limits have changed. */
  record QuotasChanged(Quotas quotas) implements QueueEvent {}

  /**
   * The port limit has changed.
   *
   * @param maxPorts total number of ports that the running tasks of one job may request
   */
  record PortLimitChanged(int maxPorts) implements QueueEvent {}

  /** A job was added to the queue, for its first or another attempt. */
  record JobQueued(QueuedJob job) implements QueueEvent {}

  /**
   * A job was placed according to a plan, or was already placed at startup. A job without gang
   * scheduling may be placed in parts: these tasks are added to the tasks that are already placed,
   * and the remaining tasks keep waiting.
   */
  record JobPlaced(QueuedJob job, List<TaskPlacement> tasks) implements QueueEvent {
    public JobPlaced {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * Tasks of a job without gang scheduling have finished. Their resources are free; the other tasks
   * of the job keep their resources.
   */
  record TasksFinished(JobId job, List<TaskPlacement> tasks) implements QueueEvent {
    public TasksFinished {
      tasks = List.copyOf(tasks);
    }
  }

  /** Role and index of a task. */
  record TaskName(String role, int index) {}

  /** Finished tasks of a job without gang scheduling need a placement again, like new tasks. */
  record TasksRequeued(QueuedJob job, List<TaskName> tasks) implements QueueEvent {
    public TasksRequeued {
      tasks = List.copyOf(tasks);
    }
  }

  /** No further tasks of a job are to be placed; placed tasks keep their resources. */
  record PlacementEnded(JobId job) implements QueueEvent {}

  /** A job no longer waits and no longer uses resources. */
  record JobRemoved(JobId job) implements QueueEvent {}
}
