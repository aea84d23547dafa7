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

/** What is left of one machine, for trying out: {@link #take} makes it smaller. */
final class Room {
  private final String node;
  private final List<Device> devices;
  private long cpus;
  private long memory;

  Room(Node node) {
    this(node, 0, 0, index -> false);
  }

  /** More may be taken than there is, where a machine shrank under its tasks. */
  Room(Node node, long takenCpus, long takenMemory, IntPredicate isTaken) {
    this.node = node.name();
    this.cpus = Math.max(0, node.cpus() - takenCpus);
    this.memory = Math.max(0, node.memory().bytes() - takenMemory);
    this.devices = new ArrayList<>(node.devices());
    devices.sort(Comparator.comparingInt(Device::index));
    // A place names cards by index alone, so of two cards with one index only one can be given.
    Set<Integer> seen = new HashSet<>();
    devices.removeIf(device -> !seen.add(device.index()) || isTaken.test(device.index()));
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

  long devices(String type) {
    return devices.stream().filter(device -> device.isOfType(type)).count();
  }

  /** The most cards one task could get: all of one make. */
  long devicesForOneTask(String type) {
    long most = 0;
    for (DeviceVendor vendor : DeviceVendor.values()) {
      most = Math.max(most, indices(vendor, type).size());
    }
    return most;
  }

  /** Gives a task its place, with the cards of lowest index; empty if it does not fit. */
  Optional<List<Integer>> take(TaskResources wanted) {
    if (wanted.cpus() > cpus || wanted.memory().bytes() > memory) {
      return Optional.empty();
    }
    Optional<List<Integer>> chosen = choose(wanted);
    if (chosen.isPresent()) {
      cpus -= wanted.cpus();
      memory -= wanted.memory().bytes();
      devices.removeIf(device -> chosen.get().contains(device.index()));
    }
    return chosen;
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
    return devices.stream()
        .filter(device -> device.vendor() == vendor && device.isOfType(type))
        .map(Device::index)
        .toList();
  }
}
