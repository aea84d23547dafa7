package dev.trainyard.server.queue;

import dev.trainyard.model.Device;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.TaskPlacement;
import dev.trainyard.server.metric.MetricText;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Writes metrics of the nodes: their resources and how much of these resources is allocated. */
final class NodeMetrics {
  private NodeMetrics() {}

  static void write(
      MetricText text, List<Node> nodes, Map<JobId, List<TaskPlacement>> placementsByJob) {
    Map<String, List<TaskPlacement>> placements = byNode(placementsByJob);
    write(text, nodes, "trainyard_node_cpus", "CPUs of the node.", Node::cpus);
    write(
        text,
        nodes,
        "trainyard_node_allocated_cpus",
        "CPUs allocated to tasks.",
        node -> sum(placements.get(node.name()), task -> task.resources().cpus()));
    write(
        text,
        nodes,
        "trainyard_node_memory_bytes",
        "Memory of the node.",
        node -> node.memory().bytes());
    write(
        text,
        nodes,
        "trainyard_node_allocated_memory_bytes",
        "Memory allocated to tasks.",
        node -> sum(placements.get(node.name()), task -> task.resources().memory().bytes()));
    writeDevices(text, nodes, placements);
  }

  private static Map<String, List<TaskPlacement>> byNode(
      Map<JobId, List<TaskPlacement>> placementsByJob) {
    Map<String, List<TaskPlacement>> placements = new HashMap<>();
    placementsByJob.values().stream()
        .flatMap(Collection::stream)
        .forEach(
            task ->
                placements
                    .computeIfAbsent(task.node(), _ -> new java.util.ArrayList<>())
                    .add(task));
    return placements;
  }

  private static long sum(List<TaskPlacement> tasks, ToLongFunction<TaskPlacement> amount) {
    return tasks == null ? 0 : tasks.stream().mapToLong(amount).sum();
  }

  private static void write(
      MetricText text, List<Node> nodes, String name, String help, ToLongFunction<Node> value) {
    text.family(name, "gauge", help);
    nodes.forEach(node -> text.sample(name, Map.of("node", node.name()), value.applyAsLong(node)));
  }

  private static void writeDevices(
      MetricText text, List<Node> nodes, Map<String, List<TaskPlacement>> placements) {
    text.family("trainyard_node_devices", "gauge", "Devices of the node.");
    Map<Node, Map<String, Long>> allocated = new HashMap<>();
    for (Node node : nodes) {
      Set<Integer> inUse = new HashSet<>();
      placements.getOrDefault(node.name(), List.of()).forEach(task -> inUse.addAll(task.devices()));
      Map<String, Long> totals = new TreeMap<>();
      Map<String, Long> used = new TreeMap<>();
      for (Device device : node.devices()) {
        totals.merge(type(device), 1L, Long::sum);
        used.merge(type(device), inUse.contains(device.index()) ? 1L : 0L, Long::sum);
      }
      totals.forEach((type, count) -> sample(text, "trainyard_node_devices", node, type, count));
      allocated.put(node, used);
    }
    text.family("trainyard_node_allocated_devices", "gauge", "Devices allocated to tasks.");
    for (Node node : nodes) {
      allocated
          .get(node)
          .forEach(
              (type, count) -> sample(text, "trainyard_node_allocated_devices", node, type, count));
    }
  }

  private static void sample(MetricText text, String name, Node node, String type, long count) {
    text.sample(name, Map.of("node", node.name(), "type", type), count);
  }

  private static String type(Device device) {
    String kind = device.vendor().kind().toString().toLowerCase(Locale.ROOT);
    return device.model().isEmpty() ? kind : kind + ":" + device.model();
  }
}
