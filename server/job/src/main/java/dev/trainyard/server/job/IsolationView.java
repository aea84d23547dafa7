package dev.trainyard.server.job;

import dev.trainyard.model.Isolation;
import dev.trainyard.model.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** API representation of a task's isolation. */
public final class IsolationView {
  private IsolationView() {}

  /** Returns the isolation of the node that a task runs on; empty if the node is unknown. */
  static Optional<Isolation> of(List<Node> nodes, Task task) {
    return nodes.stream()
        .filter(node -> node.name().equals(task.node()))
        .map(Node::isolation)
        .findFirst();
  }

  public static Map<String, Object> of(Isolation isolation) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("files", isolation.files());
    view.put("processes", isolation.processes());
    view.put("network", isolation.network());
    view.put("limits", isolation.limits());
    view.put("systemCalls", isolation.systemCalls());
    return view;
  }
}
