package dev.trainyard.scheduler;

import dev.trainyard.model.Device;
import dev.trainyard.model.DeviceVendor;
import dev.trainyard.model.Node;
import dev.trainyard.model.TaskResources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** What is left of one machine. {@link #take} makes it smaller; copies for trying out are cheap. */
final class NodeFreeResources {
  private final String node;
  private long cpus;
  private long memory;

  /** By index; never changed, only replaced, so that copies may share it. */
  private List<Device> devices;

  NodeFreeResources(Node node) {
    this(node, 0, 0, index -> false);
  }

  /** More may be taken than there is, where a machine shrank under its tasks. */
  NodeFreeResources(Node node, long takenCpus, long takenMemory, IntPredicate isTaken) {
    this.node = node.name();
    this.cpus = Math.max(0, node.cpus() - takenCpus);
    this.memory = Math.max(0, node.memory().bytes() - takenMemory);
    List<Device> left = new ArrayList<>(node.devices());
    left.sort(Comparator.comparingInt(Device::index));
    // A place names cards by index alone, so of two cards with one index only one can be given.
    Set<Integer> seen = new HashSet<>();
    left.removeIf(device -> !seen.add(device.index()) || isTaken.test(device.index()));
    this.devices = left;
  }

  private NodeFreeResources(NodeFreeResources original) {
    this.node = original.node;
    this.cpus = original.cpus;
    this.memory = original.memory;
    this.devices = original.devices;
  }

  static List<NodeFreeResources> copies(List<NodeFreeResources> rooms) {
    return rooms.stream().map(NodeFreeResources::new).toList();
  }

  String node() {
    return node;
  }

  long cpus() {
    return cpus;
  }

  long memory() {
    return memory;
  }

  int devices() {
    return devices.size();
  }

  int devices(String type) {
    int count = 0;
    for (Device device : devices) {
      count += device.isOfType(type) ? 1 : 0;
    }
    return count;
  }

  /** The most cards one task could get: all of one make. */
  int devicesForOneTask(String type) {
    int most = 0;
    for (DeviceVendor vendor : DeviceVendor.values()) {
      most = Math.max(most, indices(vendor, type).size());
    }
    return most;
  }

  /** Gives a task its place, with the cards of lowest index; empty if it does not fit. */
  Optional<List<Integer>> take(TaskResources wanted) {
    if (wanted.cpus() > cpus
        || wanted.memory().bytes() > memory
        || wanted.devices() > devices.size()) {
      return Optional.empty();
    }
    Optional<List<Integer>> chosen = choose(wanted);
    if (chosen.isPresent()) {
      cpus -= wanted.cpus();
      memory -= wanted.memory().bytes();
      remove(chosen.get());
    }
    return chosen;
  }

  /** Gives away exactly this, which is known to be there. */
  void give(TaskPlacement task) {
    cpus -= task.resources().cpus();
    memory -= task.resources().memory().bytes();
    remove(task.devices());
  }

  /** A copy without some cards. */
  NodeFreeResources without(Predicate<Device> hidden) {
    NodeFreeResources nodeFreeResources = new NodeFreeResources(this);
    nodeFreeResources.devices = devices.stream().filter(hidden.negate()).toList();
    return nodeFreeResources;
  }

  private void remove(List<Integer> indices) {
    if (!indices.isEmpty()) {
      List<Device> left = new ArrayList<>(devices);
      left.removeIf(device -> indices.contains(device.index()));
      devices = left;
    }
  }

  private Optional<List<Integer>> choose(TaskResources wanted) {
    if (wanted.devices() == 0) {
      return Optional.of(List.of());
    }
    for (DeviceVendor vendor : DeviceVendor.values()) {
      List<Integer> indices = indices(vendor, wanted.deviceType());
      if (indices.size() >= wanted.devices()) {
        return Optional.of(List.copyOf(indices.subList(0, wanted.devices())));
      }
    }
    return Optional.empty();
  }

  private List<Integer> indices(DeviceVendor vendor, String type) {
    List<Integer> indices = new ArrayList<>();
    for (Device device : devices) {
      if (device.vendor() == vendor && device.isOfType(type)) {
        indices.add(device.index());
      }
    }
    return indices;
  }
}
