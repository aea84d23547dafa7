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
 * Free resources of one node. {@link #reserve} reduces them. Copies for tentative placements are
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

  /**
   * Creates the free resources of a node. The used resources may exceed the total resources if the
   * node shrank while tasks ran on it.
   */
  NodeFreeResources(Node node, long usedCpus, long usedMemory, IntPredicate isUsed) {
    this.node = node.name();
    this.cpus = Math.max(0, node.cpus() - usedCpus);
    this.memory = Math.max(0, node.memory().bytes() - usedMemory);
    List<Device> freeDevices = new ArrayList<>(node.devices());
    freeDevices.sort(Comparator.comparingInt(Device::index));
    // A placement identifies devices by index only, so only one of two devices with the same index
    // can be assigned.
    Set<Integer> assignableIndices = new HashSet<>();
    freeDevices.removeIf(
        device -> !assignableIndices.add(device.index()) || isUsed.test(device.index()));
    this.devices = freeDevices;
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

  int deviceCount() {
    return devices.size();
  }

  int deviceCount(String type) {
    int count = 0;
    for (Device device : devices) {
      count += device.isOfType(type) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns the maximum number of devices that one task could use; all devices of a task are of one
   * vendor.
   */
  int maxDevicesPerTask(String type) {
    int maxDevices = 0;
    for (DeviceVendor vendor : DeviceVendor.values()) {
      maxDevices = Math.max(maxDevices, indices(vendor, type).size());
    }
    return maxDevices;
  }

  /**
   * Reserves resources for a task and returns the indices of its devices, which are the lowest free
   * indices; returns empty if the task does not fit.
   */
  Optional<List<Integer>> reserve(TaskResources request) {
    if (request.cpus() > cpus
        || request.memory().bytes() > memory
        || request.devices() > devices.size()) {
      return Optional.empty();
    }
    Optional<List<Integer>> deviceIndices = selectDevices(request);
    if (deviceIndices.isPresent()) {
      cpus -= request.cpus();
      memory -= request.memory().bytes();
      removeDevices(deviceIndices.get());
    }
    return deviceIndices;
  }

  /** Deducts exactly the resources of this placement, which are known to be free. */
  void deduct(TaskPlacement task) {
    cpus -= task.resources().cpus();
    memory -= task.resources().memory().bytes();
    removeDevices(task.devices());
  }

  /** Returns a copy without some devices. */
  NodeFreeResources withoutDevices(Predicate<Device> isExcluded) {
    NodeFreeResources copy = new NodeFreeResources(this);
    copy.devices = devices.stream().filter(isExcluded.negate()).toList();
    return copy;
  }

  private void removeDevices(List<Integer> indices) {
    if (!indices.isEmpty()) {
      List<Device> freeDevices = new ArrayList<>(devices);
      freeDevices.removeIf(device -> indices.contains(device.index()));
      devices = freeDevices;
    }
  }

  private Optional<List<Integer>> selectDevices(TaskResources request) {
    if (request.devices() == 0) {
      return Optional.of(List.of());
    }
    for (DeviceVendor vendor : DeviceVendor.values()) {
      List<Integer> indices = indices(vendor, request.deviceType());
      if (indices.size() >= request.devices()) {
        return Optional.of(List.copyOf(indices.subList(0, request.devices())));
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
