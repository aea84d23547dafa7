package dev.trainyard.server.home;

import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.TaskPlacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums of the total and the free resources of all nodes. Cordoned nodes count as having no free
 * resources.
 */
final class FreeResourceSummary {
  private long totalCpus;
  private long freeCpus;
  private long totalMemory;
  private long freeMemory;

  /** Number of devices and of free devices by kind and model. */
  private final Map<List<String>, long[]> devices = new LinkedHashMap<>();

  private FreeResourceSummary() {}

  static FreeResourceSummary of(
      List<Node> nodes, Map<JobId, List<TaskPlacement>> placements, Set<String> cordoned) {
    FreeResourceSummary summary = new FreeResourceSummary();
    for (Node node : nodes) {
      List<TaskPlacement> tasks =
          placements.values().stream()
              .flatMap(Collection::stream)
              .filter(task -> task.node().equals(node.name()))
              .toList();
      summary.add(node, tasks, cordoned.contains(node.name()));
    }
    return summary;
  }

  private void add(Node node, List<TaskPlacement> tasks, boolean cordoned) {
    long usedCpus = tasks.stream().mapToLong(task -> task.resources().cpus()).sum();
    long usedMemory = tasks.stream().mapToLong(task -> task.resources().memory().megabytes()).sum();
    totalCpus += node.cpus();
    totalMemory += node.memory().megabytes();
    freeCpus += cordoned ? 0 : Math.max(0, node.cpus() - usedCpus);
    freeMemory += cordoned ? 0 : Math.max(0, node.memory().megabytes() - usedMemory);
    Set<Integer> usedDevices = new HashSet<>();
    tasks.forEach(task -> usedDevices.addAll(task.devices()));
    for (Device device : node.devices()) {
      List<String> type = List.of(device.vendor().kind().toString(), device.model());
      long[] counts = devices.computeIfAbsent(type, _ -> new long[2]);
      counts[0]++;
      counts[1] += cordoned || usedDevices.contains(device.index()) ? 0 : 1;
    }
  }

  Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("cpus", freeCpus);
    view.put("totalCpus", totalCpus);
    view.put("memoryMB", freeMemory);
    view.put("totalMemoryMB", totalMemory);
    List<Map<String, Object>> types = new ArrayList<>();
    devices.forEach(
        (type, counts) -> {
          Map<String, Object> deviceType = new LinkedHashMap<>();
          deviceType.put("kind", type.getFirst());
          deviceType.put("model", type.getLast());
          deviceType.put("free", counts[1]);
          deviceType.put("total", counts[0]);
          types.add(deviceType);
        });
    view.put("devices", types);
    return view;
  }
}
