package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import java.util.List;

/** What happened that a planner must know. */
public sealed interface QueueEvent {
  /** The machines are now these. */
  record NodesChanged(List<Node> nodes) implements QueueEvent {
    public NodesChanged {
      nodes = List.copyOf(nodes);
    }
  }

  /** A job waits: new, or back for another attempt. */
  record Waiting(QueuedJob job) implements QueueEvent {}

  /** A job got its place (of a plan, or found at start-up). */
  record Placed(QueuedJob job, List<TaskPlacement> tasks) implements QueueEvent {
    public Placed {
      tasks = List.copyOf(tasks);
    }
  }

  /** A job neither waits nor holds anything any more. */
  record Gone(JobId job) implements QueueEvent {}
}
