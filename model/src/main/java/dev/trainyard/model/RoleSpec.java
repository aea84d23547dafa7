package dev.trainyard.model;

import java.util.List;

/**
 * A group of equal tasks.
 *
 * @param command a shell script
 * @param minFailed that many failed tasks end the attempt as failed; 0 switches the rule off
 * @param minSucceeded that many succeeded tasks end the attempt as succeeded; 0 switches it off
 */
public record RoleSpec(
    String name,
    int taskCount,
    TaskResources resources,
    List<PortRequest> ports,
    String command,
    int minFailed,
    int minSucceeded) {

  public RoleSpec {
    ports = List.copyOf(ports);
  }
}
