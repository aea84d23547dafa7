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

/** The machines, and what the placed tasks take of them. */
final class ClusterResources {
  private static final Taken NOTHING = new Taken();

  private List<Node> nodes = List.of();
  private List<NodeFreeResources> empty = List.of();

  /** Names of those on which nothing more is to start. */
  private Set<String> cordoned = Set.of();

  /** By name; kept also for machines that are away for a while, with the tasks still on them. */
  private final Map<String, Taken> taken = new HashMap<>();

  /** What is left of each machine, in the order of the machines. */
  private final Map<String, Machine> machines = new LinkedHashMap<>();

  private record Machine(Node node, NodeFreeResources free) {}

  /** False if nothing is different. */
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

  /** Names of the machines there are on which nothing more is to start. */
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

  /** The models of a task's cards; of a card that is not there, what the task asked for. */
  List<String> models(TaskPlacement task) {
    Machine machine = task.devices().isEmpty() ? null : machines.get(task.node());
    String asked = task.resources().deviceType().replace(" ", "").toLowerCase(Locale.ROOT);
    List<String> models = new ArrayList<>();
    for (int index : task.devices()) {
      models.add(machine == null ? asked : model(machine.node(), index, asked));
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

  /** What is left now: to look at, or to copy and try out. */
  List<NodeFreeResources> free() {
    return machines.values().stream()
        .filter(machine -> !cordoned.contains(machine.node().name()))
        .map(Machine::free)
        .toList();
  }

  /** What there would be without any task: to look at, or to copy and try out. */
  List<NodeFreeResources> empty() {
    return empty;
  }

  private static final class Taken {
    private int tasks;
    private long cpus;
    private long memory;

    /** How often each card is given: once, unless what was found at start-up says otherwise. */
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
