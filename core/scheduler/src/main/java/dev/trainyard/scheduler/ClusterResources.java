package dev.trainyard.scheduler;

import dev.trainyard.model.Device;
import dev.trainyard.model.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The nodes and the resources that placed tasks use on them. */
final class ClusterResources {
  private static final UsedResources NO_USAGE = new UsedResources();

  private List<Node> nodes = List.of();
  private List<NodeFreeResources> emptyNodes = List.of();

  /** Names of the nodes on which no further task may start. */
  private Set<String> cordonedNames = Set.of();

  /**
   * Used resources by node name. They are also kept for nodes that are temporarily absent, because
   * tasks may still run on these nodes.
   */
  private final Map<String, UsedResources> usedByNode = new HashMap<>();

  /** Free resources of each node, in the order of the nodes. */
  private final Map<String, NodeState> nodeStates = new LinkedHashMap<>();

  private record NodeState(Node node, NodeFreeResources freeResources) {}

  /** Replaces the nodes; returns false if the nodes have not changed. */
  boolean replaceNodes(List<Node> newNodes) {
    if (nodes.equals(newNodes)) {
      return false;
    }
    nodes = newNodes;
    emptyNodes = nodes.stream().map(NodeFreeResources::new).toList();
    nodeStates.clear();
    nodes.forEach(this::updateFreeResources);
    return true;
  }

  void cordon(Set<String> names) {
    cordonedNames = names;
  }

  /** Returns the names of the existing nodes on which no further task may start. */
  List<String> cordonedNodes() {
    return nodes.stream().map(Node::name).filter(cordonedNames::contains).toList();
  }

  boolean areAllCordoned() {
    return !nodes.isEmpty() && cordonedNodes().size() == nodes.size();
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  Stream<Device> devices() {
    return nodes.stream().flatMap(node -> node.devices().stream());
  }

  /**
   * Returns the models of a task's devices. For a device that no longer exists, the result contains
   * the type that the task requested.
   */
  List<String> models(TaskPlacement task) {
    NodeState nodeState = task.devices().isEmpty() ? null : nodeStates.get(task.node());
    String requestedType = task.resources().deviceType().replace(" ", "").toLowerCase(Locale.ROOT);
    List<String> models = new ArrayList<>();
    for (int index : task.devices()) {
      models.add(nodeState == null ? requestedType : model(nodeState.node(), index, requestedType));
    }
    return models;
  }

  private static String model(Node node, int index, String fallback) {
    for (Device device : node.devices()) {
      if (device.index() == index) {
        return device.model();
      }
    }
    return fallback;
  }

  void reserve(List<TaskPlacement> tasks) {
    changeUsage(tasks, 1);
  }

  void release(List<TaskPlacement> tasks) {
    changeUsage(tasks, -1);
  }

  private void changeUsage(List<TaskPlacement> tasks, int sign) {
    for (TaskPlacement task : tasks) {
      usedByNode.computeIfAbsent(task.node(), name -> new UsedResources()).add(task, sign);
    }
    tasks.stream().map(TaskPlacement::node).distinct().forEach(this::updateFreeResources);
  }

  private void updateFreeResources(String name) {
    if (usedByNode.get(name).tasks == 0) {
      usedByNode.remove(name);
    }
    NodeState nodeState = nodeStates.get(name);
    if (nodeState != null) {
      updateFreeResources(nodeState.node());
    }
  }

  private void updateFreeResources(Node node) {
    UsedResources usedResources = usedByNode.getOrDefault(node.name(), NO_USAGE);
    NodeFreeResources free =
        new NodeFreeResources(
            node, usedResources.cpus, usedResources.memory, usedResources.devices::containsKey);
    nodeStates.put(node.name(), new NodeState(node, free));
  }

  /** Returns the resources that are free now; callers copy them before changing them. */
  List<NodeFreeResources> freeResources() {
    return nodeStates.values().stream()
        .filter(nodeState -> !cordonedNames.contains(nodeState.node().name()))
        .map(NodeState::freeResources)
        .toList();
  }

  /**
   * Returns the resources that would be free without any task; callers copy them before changing
   * them.
   */
  List<NodeFreeResources> emptyNodes() {
    return emptyNodes;
  }

  private static final class UsedResources {
    private int tasks;
    private long cpus;
    private long memory;

    /**
     * Number of tasks that each device is assigned to. It is 1, unless the stored state contained
     * duplicate assignments at startup.
     */
    private final Map<Integer, Integer> devices = new HashMap<>();

    void add(TaskPlacement task, int sign) {
      tasks += sign;
      cpus += (long) sign * task.resources().cpus();
      memory += sign * task.resources().memory().bytes();
      for (int index : task.devices()) {
        devices.merge(index, sign, (count, change) -> count + change == 0 ? null : count + change);
      }
    }
  }
}
