package dev.trainyard.model;

import java.util.List;

/**
 * A group of equal tasks.
 *
 * @param command a shell script; a secret appears in it as {@code <% $secrets.name %>}
 * @param minFailed number of failed tasks that fails the attempt; 0 disables the rule
 * @param minSucceeded number of succeeded tasks that completes the attempt; 0 disables the rule
 * @param image image of this role's tasks; empty for the job's image
 * @param taskRetryCount maximum number of retries after failures of the same task; unlimited if
 *     negative
 * @param infiniband whether the role requests the node's InfiniBand network
 * @param usualSharedMemory whether the file does not set the shared memory, so that the default
 *     applies
 * @param strictShell whether the command runs with errexit, nounset and pipefail, so that the first
 *     failure ends the command; false for jobs that earlier versions stored
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
    boolean usualSharedMemory,
    boolean strictShell) {

  private static final String STRICT_OPTIONS =
      "set -o errexit -o nounset; (set -o pipefail) 2>/dev/null && set -o pipefail; ";

  /** Accepts null for fields that stored jobs of earlier versions do not contain. */
  public RoleSpec {
    ports = List.copyOf(ports);
    image = image == null ? "" : image;
    prerequisites = prerequisites == null ? RolePrerequisites.NONE : prerequisites;
  }

  /** Creates a role with default values for the remaining fields. */
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
        false,
        false);
  }

  /**
   * Returns the script that a task runs. The options are on the first line of the command, so that
   * line numbers in messages of the shell refer to the command. A shell that does not support
   * pipefail runs without this option.
   */
  public String script() {
    return strictShell ? STRICT_OPTIONS + command : command;
  }
}
