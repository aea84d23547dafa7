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

/**
 * Free resources of one node. {@link #take} reduces them; copies for tentative placements are
 * cheap.
 */
final class NodeFreeResources {
  private final String node;
  private long cpus;
  private long memory;

  /** Sorted by index. The list is never modified, only replaced, so that copies can share it. */
  private List<Device> devices;

  NodeFreeResources(Node node) {
    this(node, 0, 0, index -> false);
  }

  /** The used resources may exceed those of the node if the node shrank while tasks ran on it. */
  NodeFreeResources(Node node, long takenCpus, long takenMemory, IntPredicate isTaken) {
    this.node = node.name();
    this.cpus = Math.max(0, node.cpus() - takenCpus);
    this.memory = Math.max(0, node.memory().bytes() - takenMemory);
    List<Device> left = new ArrayList<>(node.devices());
    left.sort(Comparator.comparingInt(Device::index));
    // A placement identifies devices by index only, so only one of two devices with the same index
    // can be assigned.
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

  static List<NodeFreeResources> copies(List<NodeFreeResources> nodes) {
    return nodes.stream().map(NodeFreeResources::new).toList();
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

  /** Returns the maximum number of devices one task could get: all of one vendor. */
  int devicesForOneTask(String type) {
    int most = 0;
    for (DeviceVendor vendor : DeviceVendor.values()) {
      most = Math.max(most, indices(vendor, type).size());
    }
    return most;
  }

  /**
   * Reserves resources for a task, using the devices with the lowest indices; empty if it does not
   * fit.
   */
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

  /** Deducts exactly the resources of this placement, which are known to be free. */
  void give(TaskPlacement task) {
    cpus -= task.resources().cpus();
    memory -= task.resources().memory().bytes();
    remove(task.devices());
  }

  /** Returns a copy without some devices. */
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
