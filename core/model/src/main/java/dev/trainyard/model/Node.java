package dev.trainyard.model;

import java.util.List;
import java.util.Map;

/** A machine that runs tasks, with all it has (not what is left of it). */
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
