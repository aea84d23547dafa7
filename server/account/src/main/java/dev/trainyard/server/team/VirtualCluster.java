package dev.trainyard.server.team;

import dev.trainyard.scheduler.Quota;

/**
 * A named share of the cluster. Groups grant access to the share, and the quota limits its usage.
 */
public record VirtualCluster(String name, String description, Quota quota) {
  /**
   * Name of the virtual cluster of jobs that do not specify one. This virtual cluster always
   * exists.
   */
  public static final String DEFAULT = "default";
}
