package dev.trainyard.model;

import java.util.List;
import java.util.Map;

/** A node that runs tasks, with its total (not its free) resources. */
public record Node(
    String name,
    int cpus,
    DataSize memory,
    List<Device> devices,
    Map<String, String> labels,
    Isolation isolation) {

  public Node {
    devices = List.copyOf(devices);
    labels = Map.copyOf(labels);
  }
}
