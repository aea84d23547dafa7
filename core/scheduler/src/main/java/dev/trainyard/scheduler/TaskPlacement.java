package dev.trainyard.scheduler;

import dev.trainyard.model.TaskResources;
import java.util.List;

/** A task's place: a node and these cards of it, by index. */
public record TaskPlacement(
    String role, int index, String node, TaskResources resources, List<Integer> devices) {
  public TaskPlacement {
    devices = List.copyOf(devices);
  }
}
