package dev.trainyard.model;

import java.util.List;

/**
 * A group of equal tasks.
 *
 * @param command a shell script; where it quotes a secret, {@code <% $secrets.name %>} stands in it
 * @param minFailed that many failed tasks end the attempt as failed; 0 switches the rule off
 * @param minSucceeded that many succeeded tasks end the attempt as succeeded; 0 switches it off
 * @param image of this role's tasks; empty for the job's
 * @param taskRetryCount after how many failures of the same task the job is tried again
 * @param infiniband whether the role wants the machine's fast network
 * @param usualSharedMemory whether the file says nothing of shared memory and gets the usual
 */
public record RoleSpec(
    String name,
    int taskCount,
    TaskResources resources,
    List<PortRequest> ports,
    String command,
    int minFailed,
    int minSucceeded,
    String image,
    int taskRetryCount,
    boolean infiniband,
    RolePrerequisites prerequisites,
    boolean usualSharedMemory) {

  /** What was stored before some of this existed comes without it. */
  public RoleSpec {
    ports = List.copyOf(ports);
    image = image == null ? "" : image;
    prerequisites = prerequisites == null ? RolePrerequisites.NONE : prerequisites;
  }

  /** A role of a format that knows no more. */
  public RoleSpec(
      String name,
      int taskCount,
      TaskResources resources,
      List<PortRequest> ports,
      String command,
      int minFailed,
      int minSucceeded) {
    this(
        name,
        taskCount,
        resources,
        ports,
        command,
        minFailed,
        minSucceeded,
        "",
        0,
        false,
        RolePrerequisites.NONE,
        false);
  }
}
