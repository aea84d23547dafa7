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
  record Cordoned(Set<String> nodes) implements QueueEvent {
    public Cordoned {
      nodes = Set.copyOf(nodes);
    }
  }

  /** The limits have changed. */
  record QuotasChanged(Quotas quotas) implements QueueEvent {}

  /** The number of ports that the running tasks of one job may request in total. */
  record PortLimitChanged(int mostPorts) implements QueueEvent {}

  /** A job waits: a new one, or one that is back for another attempt. */
  record Waiting(QueuedJob job) implements QueueEvent {}

  /**
   * A job was placed according to a plan, or found placed at startup. A job without gang scheduling
   * may be placed in parts: these tasks are added to the earlier ones, and the rest of the job
   * keeps waiting.
   */
  record Placed(QueuedJob job, List<TaskPlacement> tasks) implements QueueEvent {
    public Placed {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * Tasks of a job without gang scheduling have finished: their resources are free, the other tasks
   * keep theirs.
   */
  record TasksFinished(JobId job, List<TaskPlacement> tasks) implements QueueEvent {
    public TasksFinished {
      tasks = List.copyOf(tasks);
    }
  }

  /** A task of a job. */
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
