package dev.trainyard.scheduler;

import dev.trainyard.model.Device;
import dev.trainyard.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The machines, and what the placed tasks take of them. */
final class Machines {
  private static final Taken NOTHING = new Taken();

  private List<Node> nodes = List.of();

  /** By name; kept also for machines that are away for a while, with the tasks still on them. */
  private final Map<String, Taken> taken = new HashMap<>();

  /** False if nothing is different. */
  boolean replace(List<Node> newNodes) {
    boolean changed = !nodes.equals(newNodes);
    nodes = newNodes;
    return changed;
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  Stream<Device> devices() {
    return nodes.stream().flatMap(node -> node.devices().stream());
  }

  void take(List<TaskPlacement> tasks) {
    tasks.forEach(task -> taken.computeIfAbsent(task.node(), name -> new Taken()).add(task, 1));
  }

  void release(List<TaskPlacement> tasks) {
    for (TaskPlacement task : tasks) {
      Taken ofNode = taken.get(task.node());
      ofNode.add(task, -1);
      if (ofNode.tasks == 0) {
        taken.remove(task.node());
      }
    }
  }

  /** What is left now. */
  List<Room> free() {
    return nodes.stream().map(this::free).toList();
  }

  /** What would be left after these starts. */
  List<Room> freeAfter(Plan plan) {
    plan.starts().forEach(start -> take(start.tasks()));
    List<Room> free = free();
    plan.starts().forEach(start -> release(start.tasks()));
    return free;
  }

  private Room free(Node node) {
    Taken ofNode = taken.getOrDefault(node.name(), NOTHING);
    return new Room(node, ofNode.cpus, ofNode.memory, ofNode.devices::containsKey);
  }

  /** What there would be without any task. */
  List<Room> empty() {
    return nodes.stream().map(Room::new).toList();
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
        devices.merge(
            index, sign, (before, change) -> before + change == 0 ? null : before + change);
      }
    }
  }
}
