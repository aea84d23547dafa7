package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import java.util.List;
import java.util.Set;

/** What happened that a planner must know. */
public sealed interface QueueEvent {
  /** The machines are now these. */
  record NodesChanged(List<Node> nodes) implements QueueEvent {
    public NodesChanged {
      nodes = List.copyOf(nodes);
    }
  }

  /** On these machines, by name, nothing more is to start; what runs there goes on. */
  record Cordoned(Set<String> nodes) implements QueueEvent {
    public Cordoned {
      nodes = Set.copyOf(nodes);
    }
  }

  /** The limits are now these. */
  record QuotasChanged(Quotas quotas) implements QueueEvent {}

  /** The number of ports that the running tasks of one job may request in total. */
  record PortLimitChanged(int mostPorts) implements QueueEvent {}

  /** A job waits: new, or back for another attempt. */
  record Waiting(QueuedJob job) implements QueueEvent {}

  /**
   * A job got its place (of a plan, or found at start-up). One without a gang may get it in parts:
   * then these tasks come on top of those before, and the rest of it waits on.
   */
  record Placed(QueuedJob job, List<TaskPlacement> tasks) implements QueueEvent {
    public Placed {
      tasks = List.copyOf(tasks);
    }
  }

  /** Tasks of a job without a gang are over: their room is free, the others stay. */
  record TasksFinished(JobId job, List<TaskPlacement> tasks) implements QueueEvent {
    public TasksFinished {
      tasks = List.copyOf(tasks);
    }
  }

  /** A task of a job. */
  record TaskName(String role, int index) {}

  /** Tasks of a job without a gang that were over need a place, as if they were new. */
  record TasksRequeued(QueuedJob job, List<TaskName> tasks) implements QueueEvent {
    public TasksRequeued {
      tasks = List.copyOf(tasks);
    }
  }

  /** No more tasks of a job are wanted; those that have their place stay. */
  record PlacementEnded(JobId job) implements QueueEvent {}

  /** A job neither waits nor holds anything any more. */
  record JobRemoved(JobId job) implements QueueEvent {}
}
