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
  private static final Taken NOTHING = new Taken();

  private List<Node> nodes = List.of();
  private List<NodeFreeResources> empty = List.of();

  /** Names of the nodes on which no further task may start. */
  private Set<String> cordoned = Set.of();

  /**
   * Used resources by node name; also kept for nodes that are temporarily absent, together with the
   * tasks that still run on them.
   */
  private final Map<String, Taken> taken = new HashMap<>();

  /** Free resources of each node, in the order of the nodes. */
  private final Map<String, Machine> machines = new LinkedHashMap<>();

  private record Machine(Node node, NodeFreeResources free) {}

  /** Replaces the nodes; returns false if nothing changed. */
  boolean replace(List<Node> newNodes) {
    if (nodes.equals(newNodes)) {
      return false;
    }
    nodes = newNodes;
    empty = nodes.stream().map(NodeFreeResources::new).toList();
    machines.clear();
    nodes.forEach(this::measure);
    return true;
  }

  void cordon(Set<String> names) {
    cordoned = names;
  }

  /** Returns the names of the existing nodes on which no further task may start. */
  List<String> cordoned() {
    return nodes.stream().map(Node::name).filter(cordoned::contains).toList();
  }

  boolean areAllCordoned() {
    return !nodes.isEmpty() && cordoned().size() == nodes.size();
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  Stream<Device> devices() {
    return nodes.stream().flatMap(node -> node.devices().stream());
  }

  /**
   * Returns the models of a task's devices; for a device that is not present, the type that the
   * task requested.
   */
  List<String> models(TaskPlacement task) {
    Machine machine = task.devices().isEmpty() ? null : machines.get(task.node());
    String requested = task.resources().deviceType().replace(" ", "").toLowerCase(Locale.ROOT);
    List<String> models = new ArrayList<>();
    for (int index : task.devices()) {
      models.add(machine == null ? requested : model(machine.node(), index, requested));
    }
    return models;
  }

  private static String model(Node node, int index, String otherwise) {
    for (Device device : node.devices()) {
      if (device.index() == index) {
        return device.model();
      }
    }
    return otherwise;
  }

  void take(List<TaskPlacement> tasks) {
    change(tasks, 1);
  }

  void release(List<TaskPlacement> tasks) {
    change(tasks, -1);
  }

  private void change(List<TaskPlacement> tasks, int sign) {
    for (TaskPlacement task : tasks) {
      taken.computeIfAbsent(task.node(), name -> new Taken()).add(task, sign);
    }
    tasks.stream().map(TaskPlacement::node).distinct().forEach(this::measure);
  }

  private void measure(String name) {
    if (taken.get(name).tasks == 0) {
      taken.remove(name);
    }
    Machine machine = machines.get(name);
    if (machine != null) {
      measure(machine.node());
    }
  }

  private void measure(Node node) {
    Taken ofNode = taken.getOrDefault(node.name(), NOTHING);
    NodeFreeResources free =
        new NodeFreeResources(node, ofNode.cpus, ofNode.memory, ofNode.devices::containsKey);
    machines.put(node.name(), new Machine(node, free));
  }

  /** Returns the resources that are free now; callers copy them before changing them. */
  List<NodeFreeResources> free() {
    return machines.values().stream()
        .filter(machine -> !cordoned.contains(machine.node().name()))
        .map(Machine::free)
        .toList();
  }

  /**
   * Returns the resources that would be free without any task; callers copy them before changing
   * them.
   */
  List<NodeFreeResources> empty() {
    return empty;
  }

  private static final class Taken {
    private int tasks;
    private long cpus;
    private long memory;

    /**
     * Number of tasks that each device is assigned to: 1, unless the state found at startup
     * contains duplicate assignments.
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
