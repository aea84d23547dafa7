package dev.trainyard.server.team;

import dev.trainyard.model.Device;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.ResourceUsage;
import dev.trainyard.scheduler.UsageSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A virtual cluster as represented in the API. */
final class VirtualClusterView {
  private VirtualClusterView() {}

  static Map<String, Object> of(
      VirtualCluster cluster, UsageSnapshot usageSnapshot, List<Node> nodes, List<Group> groups) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", cluster.name());
    view.put("description", cluster.description());
    view.put("quota", StoredLimits.view(cluster.quota()));
    view.put("used", usageView(usageSnapshot.ofVirtualCluster(cluster.name())));
    view.put("total", total(nodes));
    view.put(
        "groups",
        groups.stream()
            .filter(group -> group.virtualClusters().contains(cluster.name()))
            .map(Group::name)
            .toList());
    return view;
  }

  static Map<String, Object> usageView(ResourceUsage resourceUsage) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("runningJobs", resourceUsage.jobs());
    view.put("cpus", resourceUsage.cpus());
    view.put("memoryMB", resourceUsage.memory());
    view.put("devices", resourceUsage.devices());
    view.put("deviceTypes", resourceUsage.models());
    return view;
  }

  /** Returns the total resources of all nodes, used or not. */
  private static Map<String, Object> total(List<Node> nodes) {
    Map<String, Long> models = new TreeMap<>();
    for (Node node : nodes) {
      for (Device device : node.devices()) {
        models.merge(device.model(), 1L, Long::sum);
      }
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("cpus", nodes.stream().mapToLong(Node::cpus).sum());
    view.put("memoryMB", nodes.stream().mapToLong(node -> node.memory().megabytes()).sum());
    view.put("devices", models.values().stream().mapToLong(Long::longValue).sum());
    view.put("deviceTypes", models);
    return view;
  }
}
