package dev.trainyard.scheduler;

import dev.trainyard.model.TaskResources;
import java.util.List;

/** The placement of a task: a node and the indices of the devices assigned on it. */
public record TaskPlacement(
    String role, int index, String node, TaskResources resources, List<Integer> devices) {
  public TaskPlacement {
    devices = List.copyOf(devices);
  }
}
